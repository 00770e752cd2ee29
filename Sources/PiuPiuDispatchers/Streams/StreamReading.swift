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

    /// How many bytes may still come after the reader has left, and for how long.
    private static let rest = (bytes: 64 << 10, time: Duration.seconds(1))

    /// The reader wants nothing more. The transfer gets a little time to end on its own: if it is cancelled shortly
    /// before, its connection is lost, and for the observers it has not finished.
    ///
    /// What is there is taken at once, and the rest in the background, whose end cancels what goes on.
    func leave() {
        guard isFirst else { return }
        var room = Self.rest.bytes
        do {
            while room > 0, let next = try reader.buffer.nextAtHand() {
                for observer in observers { observer.received(next) }
                guard let chunk = next else { return }
                room -= chunk.count
            }
        } catch {
            return report(error)
        }
        guard room > 0 else { return }
        let deadline = Deadline(after: Self.rest.time, clock: ContinuousClock())
        reader.buffer.fail(at: deadline, with: CancellationError())
        Task { @concurrent [room] in
            var room = room
            while room > 0, let chunk = try? await next() { room -= chunk.count }
        }
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
            report(error)
            throw error
        }
    }

    private func report(_ error: any Error) {
        for observer in observers { observer.failed(error) }
    }
}
