/// Races of many futures of one type.
extension ResponseFuture {
    /// The outcome of the first of several futures to end: its value, error or cancellation. The others are cancelled.
    ///
    /// ```swift
    /// let page = try await ResponseFuture.race(mirrors.map { $0.page(7) }).value
    /// ```
    ///
    /// All are started together. Updates of all are updates of the race, until it ends. Without any future it fails
    /// with ``AllFuturesFailedError``.
    public static func race(_ futures: consuming [ResponseFuture<Success>]) -> ResponseFuture<Success> {
        first(.first, of: consume futures)
    }

    /// The same for futures listed as arguments.
    public static func race(_ futures: ResponseFuture<Success>...) -> ResponseFuture<Success> {
        race(futures)
    }

    /// The first value of several futures; the others are then cancelled.
    ///
    /// All are started together, or at most `limit` at a time: when one has failed, the next one starts. Failures and
    /// cancellations count only when no future is left: then the result fails with ``AllFuturesFailedError``, or is
    /// cancelled if none of them has failed.
    ///
    /// - Parameters:
    ///   - futures: the futures.
    ///   - limit: how many may run at once; less than one counts as one.
    public static func firstSuccess(
        of futures: consuming [ResponseFuture<Success>], limit: Int? = nil
    ) -> ResponseFuture<Success> {
        first(.firstSuccess, of: consume futures, limit: limit)
    }

    /// The same for futures listed as arguments.
    public static func firstSuccess(of futures: ResponseFuture<Success>...) -> ResponseFuture<Success> {
        firstSuccess(of: futures)
    }

    private static func first(
        _ policy: JoinPolicy, of futures: consuming [ResponseFuture<Success>],
        limit: Int? = nil
    ) -> ResponseFuture<Success> {
        let (parts, children) = JoinedChildren.parts(of: consume futures)
        return ResponseFuture(
            join: Join(policy, of: parts, limit: limit) { end in
                guard case .one(let place) = end else { throw CancellationError() }
                return try children.value(at: place)
            })
    }
}
