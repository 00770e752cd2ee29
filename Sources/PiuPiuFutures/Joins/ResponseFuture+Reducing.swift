/// Combining the values of many futures into one.
///
/// The futures run together, or at most `limit` at a time. The first failure cancels the others and fails the result; a
/// cancellation cancels all (contract rule GROUPS). When all have their values, the closure runs in the background with
/// one after the other, in the order of the futures; an error that it throws fails the result. Cancelling the result
/// ends it at once, whether or not the closure notices (PROMPT), and the closure is not called again.
extension ResponseFuture {
    /// Combines the values of many futures, beginning with an initial value.
    ///
    /// ```swift
    /// let total = ResponseFuture.reduce(0, orders.map(\.price)) { sum, price in sum + price }
    /// ```
    ///
    /// swift-nio: `reduce(_:_:on:_:)`; PromiseKit: `when(fulfilled:)` and `map`.
    ///
    /// - Parameters:
    ///   - initial: the first argument of the first step; the result, if there are no futures.
    ///   - futures: the futures; a finite sequence.
    ///   - limit: how many may run at once; less than one counts as one.
    ///   - step: combines the result so far with the next value; it may suspend.
    public static func reduce<Element>(
        _ initial: Success, _ futures: some Sequence<ResponseFuture<Element>>, limit: Int? = nil,
        _ step: @escaping @Sendable (Success, Element) async throws -> Success
    ) -> ResponseFuture<Success> {
        reducing(ResponseFuture<[Element]>(childFutures: Array(futures), limit: limit).then { (initial, $0) }, step)
    }

    /// Combines this future's value with those of others that run beside it.
    ///
    /// ```swift
    /// let feed = client.posts().fold(pages) { feed, page in feed.adding(page) }
    /// ```
    ///
    /// swift-nio: `fold(_:with:)`.
    ///
    /// - Parameters:
    ///   - futures: the other futures; a finite sequence.
    ///   - limit: how many of the others may run at once; less than one counts as one.
    ///   - step: combines the result so far with the next value; it may suspend.
    public func fold<Other>(
        _ futures: some Sequence<ResponseFuture<Other>>, limit: Int? = nil,
        with step: @escaping @Sendable (Success, Other) async throws -> Success
    ) -> ResponseFuture<Success> {
        Self.reducing(join(ResponseFuture<[Other]>(childFutures: Array(futures), limit: limit)), step)
    }

    private static func reducing<Element>(
        _ parts: ResponseFuture<(Success, [Element])>,
        _ step: @escaping @Sendable (Success, Element) async throws -> Success
    ) -> ResponseFuture<Success> {
        ResponseFuture(parent: parts) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let (initial, values) = try ResponseFuture<(Success, [Element])>.value(ofSettledParentOf: link)
            var result = initial
            for value in values {
                try head.checkWork()
                result = try await step(result, value)
            }
            return TypedFutureValue(result)
        }
    }
}
