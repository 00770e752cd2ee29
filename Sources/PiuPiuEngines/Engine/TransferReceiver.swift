import Foundation
import Synchronization

/// Passes on the events of an exchange, and makes sure that there is a terminal one: an engine that releases its
/// callback without one has failed (contract rule NEVER-HANG).
final class TransferReceiver: Sendable {
    private let url: URL?
    private let hasEnded = Atomic(false)
    private let onEvent: @Sendable (TransferEvent) -> Void

    init(url: URL?, onEvent: @escaping @Sendable (TransferEvent) -> Void) {
        self.url = url
        self.onEvent = onEvent
    }

    deinit {
        guard !hasEnded.load(ordering: .acquiring) else { return }
        onEvent(.failed(TransferError(.connectionLost, url: url)))
    }

    func receive(_ event: TransferEvent) {
        if event.isTerminal { hasEnded.store(true, ordering: .releasing) }
        onEvent(event)
    }
}
