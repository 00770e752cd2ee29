import Foundation

/// Takes the events of an exchange, and sees to it that there is a last one: an engine that releases its callback
/// without any has failed (contract rule NEVER-HANG).
final class TransferReceiver: Sendable {
    private let url: URL?
    private let hasEnded = Locked(false)
    private let onEvent: @Sendable (TransferEvent) -> Void

    init(url: URL?, onEvent: @escaping @Sendable (TransferEvent) -> Void) {
        self.url = url
        self.onEvent = onEvent
    }

    deinit {
        guard !hasEnded.withLock({ $0 }) else { return }
        onEvent(.failed(TransferError(.connectionLost, url: url)))
    }

    func receive(_ event: TransferEvent) {
        if event.isTerminal { hasEnded.withLock { $0 = true } }
        onEvent(event)
    }
}
