/// Joins of many futures of one type, for every `Success` that can be built from its elements: sets, arrays and all
/// other collections that can grow.
extension ResponseFuture where Success: RangeReplaceableCollection, Success.Element: Sendable {
    /// The values of many futures that run together, in the order of the futures.
    ///
    /// ```swift
    /// let posts = ResponseFuture<[Post]>(childFutures: (1...100).map(client.post), limit: 8)
    /// ```
    ///
    /// All are started together, or at most `limit` at a time. The first failure cancels the others, and is the error
    /// of the join; a cancellation cancels the others and the join (contract rule GROUPS). No futures give no values.
    ///
    /// - Parameters:
    ///   - childFutures: the futures.
    ///   - limit: how many may run at once; less than one counts as one. Legacy actions among the first `limit` futures
    ///     run on the caller, and later ones in the background, when it is their turn. Requests to one server are
    ///     limited separately: see `TransferSettings.exchangesPerOrigin`.
    @inlinable
    public convenience init(childFutures: consuming [ResponseFuture<Success.Element>], limit: Int? = nil) {
        let (parts, children) = JoinedChildren.parts(of: consume childFutures)
        self.init(join: Join(.all, of: parts, limit: limit) { _ in Success(children.takeValues()) })
    }

    // Disfavoured, because the compiler would otherwise choose this form for a closure that returns an empty list.

    /// The same for the futures that a callback makes; the callback runs once, now.
    ///
    /// - Parameters:
    ///   - limit: how many may run at once; less than one counts as one.
    ///   - childFuturesCallback: makes the futures.
    @_disfavoredOverload
    public convenience init(
        limit: Int? = nil, childFuturesCallback: () -> [ResponseFuture<Success.Element>]
    ) {
        self.init(childFutures: childFuturesCallback(), limit: limit)
    }

    /// The same for futures in an array literal.
    public convenience init(arrayLiteral childFutures: ResponseFuture<Success.Element>...) {
        self.init(childFutures: childFutures)
    }
}

extension ResponseFuture where Success: SetAlgebra & Sequence, Success.Element: Sendable {
    /// The set of the values of many futures that run together.
    ///
    /// ```swift
    /// let posts = ResponseFuture<Set<Post>>(childFutures: (1...100).map(client.post), limit: 8)
    /// ```
    ///
    /// All are started together, or at most `limit` at a time. The first failure cancels the others, and is the error
    /// of the join; a cancellation cancels the others and the join (contract rule GROUPS). No futures give no values.
    ///
    /// - Parameters:
    ///   - childFutures: the futures.
    ///   - limit: how many may run at once; less than one counts as one. Legacy actions among the first `limit` futures
    ///     run on the caller, and later ones in the background, when it is their turn. Requests to one server are
    ///     limited separately: see `TransferSettings.exchangesPerOrigin`.
    @inlinable
    public convenience init(childFutures: consuming [ResponseFuture<Success.Element>], limit: Int? = nil) {
        let (parts, children) = JoinedChildren.parts(of: consume childFutures)
        self.init(join: Join(.all, of: parts, limit: limit) { _ in Success(children.takeValues()) })
    }

    // Disfavoured, because the compiler would otherwise choose this form for a closure that returns an empty list.

    /// The same for the futures that a callback makes; the callback runs once, now.
    ///
    /// - Parameters:
    ///   - limit: how many may run at once; less than one counts as one.
    ///   - childFuturesCallback: makes the futures.
    @_disfavoredOverload
    public convenience init(
        limit: Int? = nil, childFuturesCallback: () -> [ResponseFuture<Success.Element>]
    ) {
        self.init(childFutures: childFuturesCallback(), limit: limit)
    }

    /// The same for futures in an array literal.
    public convenience init(arrayLiteral childFutures: ResponseFuture<Success.Element>...) {
        self.init(childFutures: childFutures)
    }
}
