import Foundation

/// The part of a refreshed response's body that may still come: nobody reads it, so no limit of a caller ends it.
///
/// A body that is too large to be stored would keep its connection, and be kept for callers that join, for as long as
/// the server sends.
final class RefreshRest: Sendable {
    private struct State: Sendable {
        var left: Int64
        var handle: (any TransferHandle)?

        /// Releases the handle; returns it if the exchange is to be cancelled.
        mutating func end(cancels: Bool) -> (any TransferHandle)? {
            let handle = handle.take()
            return cancels ? handle : nil
        }
    }

    private let state: Locked<State>

    /// - Parameter limit: how many bytes of the body may come.
    init(limit: Int64) {
        state = Locked(State(left: limit))
    }

    func attach(_ handle: any TransferHandle) {
        state.withLock { $0.handle = handle }
    }

    func receive(_ event: TransferEvent) {
        let cancelled = state.withLock { state -> (any TransferHandle)? in
            if event.isTerminal { return state.end(cancels: false) }
            guard case .body(let chunk) = event else { return nil }
            state.left -= Int64(chunk.count)
            return state.left < 0 ? state.end(cancels: true) : nil
        }
        cancelled?.cancel()
    }
}
