import PiuPiu

/// The steps that were certainly taken on the futures of a random program, through any reference.
final class RandomProgramDeeds: Sendable {
    private struct Nodes: Sendable {
        var sent: Set<Int> = []
        var awaited: Set<Int> = []
        var cancelled: Set<Int> = []
    }

    private let nodes = Locked(Nodes())

    /// Notes that `send()` has returned.
    func noteSent(_ node: Int) { nodes.withLock { _ = $0.sent.insert(node) } }

    /// Notes that an awaiter that was not cancelled has awaited the node to its end.
    func noteAwaited(_ node: Int) { nodes.withLock { _ = $0.awaited.insert(node) } }

    /// Notes that `cancel()` has returned.
    func noteCancelled(_ node: Int) { nodes.withLock { _ = $0.cancelled.insert(node) } }

    func isSent(_ node: Int) -> Bool { nodes.withLock { $0.sent.contains(node) } }

    /// Whether the node was sent, or awaited to its end.
    func isBegun(_ node: Int) -> Bool { nodes.withLock { $0.sent.contains(node) || $0.awaited.contains(node) } }

    func isCancelled(_ node: Int) -> Bool { nodes.withLock { $0.cancelled.contains(node) } }
}
