import Foundation

/// One iteration; its end cancels the transfer.
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
