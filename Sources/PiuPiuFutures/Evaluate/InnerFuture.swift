/// A started future that the work of a link has made or was given, such as the result of a `replace` closure.
///
/// If nothing else can reach that future, it is evaluated in place, like a parent.
package struct InnerFuture<Success: Sendable>: Sendable {
    private enum Way: Sendable {
        case inPlace(ResponseFuture<Success>)
        case token(FutureRun, FutureRun.InterestID)
        case settled(FutureRun)
    }

    private let way: Way

    /// Starts the future for `head`, unless the chain has been cancelled (contract rule EARLY); a legacy action in it
    /// runs before this returns (SYNC-START).
    ///
    /// - Parameter isHere: whether its work may begin on this stack; only where the caller is on no actor.
    /// - Throws: `CancellationError`; ``FutureError/waitsForItself`` if it is the future of `head`.
    init(_ future: consuming ResponseFuture<Success>, for head: FutureRun, isHere: Bool = false) throws {
        try head.checkWork()
        if Privacy.isOnlyReference(&future), future.claimInPlace() {
            future.startAbove(for: head)?.launch(isHere: isHere)
            way = .inPlace(future)
            return
        }
        let run = future.run
        if run === head { throw FutureError.waitsForItself }
        if let token = future.takeToken(.work(head), for: head) {
            if token.mustLaunch { future.launch(isHere: isHere) }
            way = .token(run, token.id)
        } else {
            way = .settled(run)
        }
    }

    /// Starts the future, unless the chain has been cancelled, and returns its value.
    package static func value(
        of future: consuming ResponseFuture<Success>, for head: FutureRun
    ) async throws -> TypedFutureValue<Success> {
        try await InnerFuture(consume future, for: head, isHere: true).value(for: head)
    }

    /// Makes and starts the future on the main actor; a callback that returns `nil` cancels the chain.
    static func madeOnMainActor(
        for head: FutureRun, _ callback: @MainActor () throws -> ResponseFuture<Success>?
    ) async throws -> InnerFuture {
        try await ResponseFuture<Success>.onMainActor(for: head) {
            guard let future = try callback() else { throw CancellationError() }
            return try InnerFuture(consume future, for: head)
        }
    }

    /// The future's value, as soon as it is available.
    func value(for head: FutureRun) async throws -> TypedFutureValue<Success> {
        let outcome: FutureOutcome<TypedFutureValue<Success>>
        switch way {
        case .inPlace(let future):
            // Work that needs no wait may find its parent settled: the token for it is given back here, or `head` would
            // retain the outcome of the parent until its own end.
            if future.isSynchronousThroughout { try await future.settleAbove(for: head) }
            outcome = await future.outcome(for: head)
        case .token(let run, let id):
            outcome = await run.outcome(for: id, child: head).typedBox()
            head.drop(id, for: run)
        case .settled(let run):
            outcome = run.settledOutcome?.typedBox() ?? .cancelled
        }
        try head.checkWork()
        return try outcome.get()
    }
}
