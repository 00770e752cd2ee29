public import Foundation

/// The body of a response, read while it arrives: chunks, and by way of them bytes, lines or server-sent events.
///
/// ```swift
/// for try await chunk in response.data { hash.update(data: chunk) }
/// ```
///
/// It can be gone through once. The transfer is cancelled when the loop ends early, when the task that reads is
/// cancelled (which gets a `CancellationError`), and when nobody holds the body or an iterator any more.
///
/// A reader that is slower than the server holds the server up, where the engine can do that; `URLSession` on Linux
/// can't, so what doesn't fit into a megabyte of memory waits in a temporary file there. Memory stays constant either
/// way (contract rule MEMORY).
///
/// Iterating throws what the transfer fails with: a ``TransferError``, a ``FileTransferError`` if that temporary file
/// can't be written, or ``DeadlineExceeded`` if it had a deadline. What had arrived before is given first.
public struct StreamedBody: AsyncSequence, Sendable {
    /// A part of the body, as it arrived; never empty.
    public typealias Element = Data
    /// See above.
    public typealias Failure = any Error

    private let reader: StreamReader
    private let observers: [StreamObserver]

    init(_ buffer: StreamBuffer) {
        reader = StreamReader(buffer)
        observers = []
    }

    /// The same body, which tells `observer` too what is read of it.
    package init(_ body: StreamedBody, observedBy observer: StreamObserver) {
        reader = body.reader
        observers = body.observers + [observer]
    }

    /// What lies between the transfer and the reader.
    var buffer: StreamBuffer { reader.buffer }

    /// The body of a mock, in chunks of the usual size.
    init(of data: Data) {
        let buffer = StreamBuffer()
        var rest = data
        while !rest.isEmpty {
            buffer.append(Data(rest.prefix(16 << 10)))
            rest = rest.dropFirst(16 << 10)
        }
        buffer.finish(nil)
        self.init(buffer)
    }

    /// Ends the transfer with an error when the time is over, unless all has arrived by then.
    func fail(at deadline: Deadline, with error: any Error) { buffer.fail(at: deadline, with: error) }

    /// What was measured of the transfer, once all of it has arrived; `nil` before, and after a failure.
    public var metrics: TransferMetrics? { reader.buffer.metrics }

    /// Begins to read, or goes on where another iterator is; when an iterator is released, the transfer is cancelled.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reading: StreamReading(reader, observers))
    }

    /// Gives the chunks one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let reading: StreamReading

        /// The next chunk, or `nil` at the end.
        public mutating func next() async throws -> Data? {
            try await reading.next()
        }
    }
}

@available(*, unavailable)
extension StreamedBody.Iterator: Sendable {}

/// Those who can read a stream: the body and its iterators. When the last of them is gone, so is the transfer.
final class StreamReader: Sendable {
    let buffer: StreamBuffer

    init(_ buffer: StreamBuffer) {
        self.buffer = buffer
    }

    deinit { buffer.cancel() }
}

/// One iteration, whose end is that of the transfer.
final class StreamReading: Sendable {
    private let reader: StreamReader
    private let observers: [StreamObserver]

    init(_ reader: StreamReader, _ observers: [StreamObserver]) {
        self.reader = reader
        self.observers = observers
    }

    deinit {
        reader.buffer.cancel()
        for observer in observers { observer.dropped() }
    }

    func next() async throws -> Data? {
        do {
            let chunk = try await reader.buffer.next()
            for observer in observers { observer.received(chunk) }
            return chunk
        } catch {
            for observer in observers { observer.failed(error) }
            throw error
        }
    }
}
