import Foundation

/// One iteration; its end cancels the transfer.
final class StreamReading: Sendable {
    private let reader: StreamReader
    private let observers: [StreamObserver]
    /// Whether there was no other one before: the chunks of two would have gaps.
    private let isFirst: Bool

    init(_ reader: StreamReader, _ observers: [StreamObserver]) {
        self.reader = reader
        self.observers = observers
        isFirst = reader.take()
    }

    deinit {
        guard isFirst else { return }
        reader.buffer.cancel()
        for observer in observers { observer.dropped() }
    }

    /// Whether the reader is gone, or a scope has cancelled the body.
    var isAbandoned: Bool { reader.buffer.isAbandoned }

    func next() async throws -> Data? {
        guard isFirst else {
            try Task.checkCancellation()
            throw StreamedBodyError.alreadyRead
        }
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
