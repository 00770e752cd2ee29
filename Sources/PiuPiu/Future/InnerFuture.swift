/// A future that the work of a link has made or was given, such as the one that `replace` returns; started.
///
/// If nobody else can see that future it is run in place, like a parent. Whoever makes one must go on to ``value(for:)``.
@usableFromInline
struct InnerFuture<Success: Sendable>: Sendable {
    private let future: ResponseFuture<Success>
    private let runsInPlace: Bool

    /// Starts the future for the sake of `receiver`; a legacy action in it runs before this returns (contract rule
    /// SYNC-START).
    @usableFromInline
    init(_ future: consuming ResponseFuture<Success>, for receiver: any UpdateReceiver) {
        let isUnseen = isKnownUniquelyReferenced(&future)
        runsInPlace = isUnseen && future.claimForChild()
        if runsInPlace {
            future.beginFuturesAbove(for: receiver)
        } else if future.reserve(for: receiver) {
            future.launch(inPlace: false)
        }
        self.future = future
    }

    /// Makes and starts the future on the main actor; a callback that returns `nil` cancels the chain.
    static func madeOnMainActor(
        for receiver: any UpdateReceiver, _ callback: @MainActor () throws -> ResponseFuture<Success>?
    ) async throws -> InnerFuture {
        try await ResponseFuture<Success>.onMainActor {
            guard let future = try callback() else { throw CancellationError() }
            return InnerFuture(future, for: receiver)
        }
    }

    /// The future's value, as soon as it is there.
    @usableFromInline
    func value(for receiver: any UpdateReceiver) async throws -> Success {
        let outcome =
            if runsInPlace {
                await future.performInPlace(for: receiver)
            } else {
                await future.outcome(reservedFor: receiver)
            }
        let value = try outcome.get()
        if Task.isCancelled { throw CancellationError() }
        return value
    }
}
