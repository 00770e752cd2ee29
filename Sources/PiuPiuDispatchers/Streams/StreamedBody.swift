public import Foundation

/// The body of a response, read while it arrives, as chunks, bytes, lines or server-sent events.
///
/// ```swift
/// for try await chunk in response.data { hash.update(data: chunk) }
/// ```
///
/// It can be iterated once, as itself or as one of its forms: every further iterator throws
/// ``StreamedBodyError/alreadyRead`` and leaves the first one alone. The transfer is cancelled when the loop ends
/// early, when the reading task is cancelled (it gets a `CancellationError`), and when the body and its iterators are
/// released.
///
/// A reader that is slower than the server applies back-pressure, if the engine supports it. `URLSession` on Linux
/// doesn't: there a temporary file takes the bytes beyond a megabyte of memory. Memory stays constant either way
/// (contract rule MEMORY).
///
/// Iterating throws the error of the transfer: a ``TransferError``, a ``FileTransferError`` if that temporary file
/// can't be written, or ``DeadlineExceeded`` if it had a deadline. The chunks that arrived before come first.
///
/// ``init(_:)`` makes one of a sequence, for a mock or a dispatcher of your own.
public struct StreamedBody: AsyncSequence, Sendable {
    /// A part of the body, as it arrived; never empty.
    public typealias Element = Data
    /// The error of the transfer.
    public typealias Failure = any Error

    private let reader: StreamReader
    private let observers: [StreamObserver]

    /// The number of bytes, if all of them are there from the start.
    package let lengthAtHand: Int64?

    init(_ buffer: StreamBuffer, lengthAtHand: Int64? = nil) {
        reader = StreamReader(buffer)
        observers = []
        self.lengthAtHand = lengthAtHand
    }

    /// The same body; `observer` also sees the chunks that are read.
    package init(_ body: StreamedBody, observedBy observer: StreamObserver) {
        reader = body.reader
        observers = body.observers + [observer]
        lengthAtHand = body.lengthAtHand
    }

    /// The buffer between the transfer and the reader.
    var buffer: StreamBuffer { reader.buffer }

    /// The scopes that it is bound to, until it is read.
    var scopes: [ScopeMembers] { reader.buffer.scopes }

    /// The body of a mock, in chunks of the usual size, and the error after them if there is one.
    package init(of data: Data, failingWith error: (any Error)? = nil) {
        let buffer = StreamBuffer()
        var rest = data
        while !rest.isEmpty {
            buffer.append(Data(rest.prefix(16 << 10)))
            rest = rest.dropFirst(16 << 10)
        }
        buffer.finish(error)
        self.init(buffer, lengthAtHand: Int64(data.count))
    }

    /// Ends the transfer with an error at the deadline, unless all has arrived by then.
    func fail(at deadline: Deadline, with error: any Error) { buffer.fail(at: deadline, with: error) }

    /// The measurements of the transfer, once all of it has arrived; `nil` before, and after a failure.
    public var metrics: TransferMetrics? { reader.buffer.metrics }

    /// Makes the only iterator that reads; its release cancels the transfer. A further one throws
    /// ``StreamedBodyError/alreadyRead``.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reading: StreamReading(reader, observers))
    }

    /// Returns the chunks one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let reading: StreamReading

        /// The next chunk, or `nil` at the end.
        ///
        /// - Throws: the error of the transfer; ``StreamedBodyError`` if there was an iterator before this one;
        ///   `CancellationError` if the task, or the transfer, was cancelled.
        public mutating func next() async throws -> Data? {
            try await reading.next()
        }
    }
}

@available(*, unavailable)
extension StreamedBody.Iterator: Sendable {}
