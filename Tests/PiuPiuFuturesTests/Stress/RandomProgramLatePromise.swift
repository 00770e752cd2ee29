import PiuPiu

/// A promise that is settled when the node is opened, or dropped if it has no endings.
final class LatePromise: Sendable {
    private struct State: Sendable {
        var promise: ResponseFuture<Int>?
        var endings: [RandomProgram.Ending] = []
        var isReleased = false
    }

    private let node: Int
    private let state = Locked(State())

    init(of node: Int) {
        self.node = node
    }

    func keep(_ promise: ResponseFuture<Int>, for endings: [RandomProgram.Ending]) {
        let isReleased = state.withLock { state in
            if !state.isReleased {
                state.promise = promise
                state.endings = endings
            }
            return state.isReleased
        }
        if isReleased { promise.settle(endings, for: node) }
    }

    func release() {
        let (promise, endings) = state.withLock { state in
            state.isReleased = true
            return (state.promise.take(), state.endings)
        }
        promise?.settle(endings, for: node)
    }
}
