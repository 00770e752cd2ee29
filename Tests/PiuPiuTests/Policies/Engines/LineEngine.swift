import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine with a line, in which it is each exchange's turn at once: before the caller has its handle.
final class LineEngine: TransferEngine {
    /// "sent" or the error of each exchange.
    private let turns = Watched<[String]>([])
    private let beforeTurn: @Sendable () -> Void

    init(beforeTurn: @escaping @Sendable () -> Void = {}) {
        self.beforeTurn = beforeTurn
    }

    /// Those of an engine with a line.
    let settings = DirectedEngine().limited(to: 1).settings

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        request.turn?.waits()
        beforeTurn()
        do {
            try request.turn?.begins()
            note("sent")
        } catch {
            note(error is CancellationError ? "cancelled" : "\(error)")
            onEvent(.failed(error))
        }
        return Handle(onEvent: onEvent)
    }

    /// The turns, as soon as there is one.
    var turn: String {
        get async {
            await turns.wait { !$0.isEmpty }
            return turns.withLock { $0.joined() }
        }
    }

    private func note(_ turn: String) { turns.withLock { $0.append(turn) } }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}

    private struct Handle: TransferHandle {
        let onEvent: @Sendable (TransferEvent) -> Void

        func cancel() {}
        func pause() {}
        func resume() {}
    }
}
