/// Ends an engine over another one: the engine below is invalidated when no exchange needs it any more.
package struct EngineEnding: Sendable {
    /// How to invalidate an engine.
    package enum Kind: Sendable { case finishing, cancelling }

    private var wanted: Kind?
    /// How many callers are still cancelling exchanges: each exchange must be cancelled before the engine ends.
    private var cancellers = 0
    /// The last answer of ``next(isEmpty:)``.
    private var begun: Kind?

    /// Whether new exchanges are refused.
    var hasBegun: Bool { wanted != nil }

    /// Whether all exchanges are cancelled, also those that wait: none of them begins any more.
    var isCancelling: Bool { wanted == .cancelling }

    /// New exchanges are refused from now on. One call of ``hasCancelled()`` must follow.
    mutating func begin(_ kind: Kind) {
        cancellers += 1
        if wanted != .cancelling { wanted = kind }
    }

    /// All exchanges that had to be cancelled are cancelled.
    mutating func hasCancelled() {
        cancellers -= 1
    }

    /// How to invalidate the engine below now, if at all; each way is returned once. Call it after each change.
    ///
    /// A cancellation may follow a finish: exchanges may go on below that aren't known here, as validations of a cache.
    mutating func next(isEmpty: Bool) -> Kind? {
        guard let wanted, wanted != begun, cancellers == 0, wanted == .cancelling || isEmpty else { return nil }
        begun = wanted
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
