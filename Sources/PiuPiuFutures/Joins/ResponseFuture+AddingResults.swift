/// Adding the value of one more future to a future of a sequence.
extension ResponseFuture where Success: Sequence, Success.Element: Sendable {
    /// Waits for the values, makes another future from them on the main actor, and adds its value at the end.
    ///
    /// - Parameter callback: makes the other future; `nil` cancels the chain, and an error that it throws fails it. It
    ///   runs once, on the main actor.
    @preconcurrency
    public func addingSeriesResult(
        from callback: @escaping @MainActor (Success) throws -> ResponseFuture<Success.Element>?
    ) -> ResponseFuture<[Success.Element]> {
        seriesJoin(callback: callback).then { values, added in values + [added] }
    }

    /// Waits for the values, may make another future from them on the main actor, and adds its value, or `nil`, at the
    /// end.
    ///
    /// - Parameter callback: makes the other future, or none; an error that it throws fails the chain. It runs once, on
    ///   the main actor.
    @preconcurrency
    public func addingSeriesNullableResult(
        from callback: @escaping @MainActor (Success) throws -> ResponseFuture<Success.Element>?
    ) -> ResponseFuture<[Success.Element?]> {
        seriesNullableJoin(callback: callback).then { values, added in values.map { $0 } + [added] }
    }

    /// Runs another future beside this one, and adds its value at the end.
    ///
    /// - Parameter callback: makes the other future. It runs once, now.
    public func addingParallelResult(
        from callback: () -> ResponseFuture<Success.Element>
    ) -> ResponseFuture<[Success.Element]> {
        parallelJoin(callback: callback).then { values, added in values + [added] }
    }

    /// Runs an optional other future beside this one, and adds its value, or `nil`, at the end.
    ///
    /// - Parameter callback: makes the other future, or none. It runs once, now.
    public func addingParallelNullableResult(
        from callback: () -> ResponseFuture<Success.Element>?
    ) -> ResponseFuture<[Success.Element?]> {
        parallelNullableJoin(callback: callback).then { values, added in values.map { $0 } + [added] }
    }
}
