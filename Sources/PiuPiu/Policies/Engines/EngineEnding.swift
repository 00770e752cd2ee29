/// How an engine over another one comes to its end: the one below is invalidated when nobody waits for it any more.
struct EngineEnding: Sendable {
    enum Kind: Sendable { case finishing, cancelling }

    private var wanted: Kind?
    /// How many are still cancelling what there is: each exchange has to know that it is cancelled before the engine is over.
    private var cancellers = 0
    private var isOver = false

    /// Whether new exchanges are refused.
    var hasBegun: Bool { wanted != nil }

    /// From now on nothing is taken in; one call of ``hasCancelled()`` follows.
    mutating func begin(_ kind: Kind) {
        cancellers += 1
        if wanted != .cancelling { wanted = kind }
    }

    /// Those who had to be cancelled are.
    mutating func hasCancelled() {
        cancellers -= 1
    }

    /// How the engine below is to be invalidated now, if it is; that is said once. To be asked after each change.
    mutating func next(isEmpty: Bool) -> Kind? {
        guard let wanted, !isOver, cancellers == 0, wanted == .cancelling || isEmpty else { return nil }
        isOver = true
        return wanted
    }
}

extension TransferEngine {
    /// Ends the engine.
    func invalidate(_ kind: EngineEnding.Kind?) {
        switch kind {
        case .finishing: finishTasksAndInvalidate()
        case .cancelling: invalidateAndCancel()
        case nil: break
        }
    }
}
