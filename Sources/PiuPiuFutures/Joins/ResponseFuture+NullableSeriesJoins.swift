/// Joins in series whose second future may be omitted, or may fail without failing the join.
///
/// The callbacks run on the main actor, like that of ``ResponseFuture/seriesJoin(_:callback:)``; the forms with `flat`
/// in their names don't use it. Updates of both futures are updates of the result.
extension ResponseFuture {
    /// Waits for the value, may make another future from it on the main actor, and continues with both values.
    ///
    /// - Parameters:
    ///   - type: the type of the second value; needed for a closure with `return nil`.
    ///   - callback: makes the second future; with `nil`, the second value is `nil`. An error that it throws fails the
    ///     chain. It runs once, on the main actor.
    @preconcurrency
    public func seriesNullableJoin<Other>(
        _ type: Other.Type = Other.self,
        callback: @escaping @MainActor (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other?)> {
        seriesJoin(Other?.self) { value in
            try callback(value)?.then { $0 } ?? ResponseFuture<Other?>(result: nil)
        }
    }

    /// Like ``seriesJoin(_:callback:)``, but a failure of the second future is a value.
    ///
    /// - Parameters:
    ///   - type: the type of the second value; needed for a closure with `return nil`.
    ///   - callback: makes the second future; `nil` cancels the chain, and an error that it throws fails it. It runs
    ///     once, on the main actor.
    @preconcurrency
    public func safeSeriesJoin<Other>(
        _ type: Other.Type = Other.self,
        callback: @escaping @MainActor (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>)> {
        seriesJoin { try callback($0)?.safeResult() }
    }

    /// Like ``seriesNullableJoin(_:callback:)``, but a failure of the second future is a value.
    ///
    /// - Parameters:
    ///   - type: the type of the second value; needed for a closure with `return nil`.
    ///   - callback: makes the second future; with `nil`, the second value is `nil`. An error that it throws fails the
    ///     chain. It runs once, on the main actor.
    @preconcurrency
    public func safeSeriesNullableJoin<Other>(
        _ type: Other.Type = Other.self,
        callback: @escaping @MainActor (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>?)> {
        seriesNullableJoin { try callback($0)?.safeResult() }
    }

    /// The twin of ``seriesNullableJoin(_:callback:)`` that doesn't use the main actor.
    ///
    /// - Parameters:
    ///   - type: the type of the second value; needed for a closure with `return nil`.
    ///   - transform: makes the second future; with `nil`, the second value is `nil`. An error that it throws fails the
    ///     chain.
    public func flatNullableJoin<Other>(
        _ type: Other.Type = Other.self,
        _ transform: @escaping @Sendable (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other?)> {
        flatJoin(Other?.self) { value in
            try transform(value)?.then { $0 } ?? ResponseFuture<Other?>(result: nil)
        }
    }

    /// The twin of ``safeSeriesJoin(_:callback:)`` that doesn't use the main actor.
    ///
    /// - Parameters:
    ///   - type: the type of the second value; needed for a closure with `return nil`.
    ///   - transform: makes the second future; `nil` cancels the chain, and an error that it throws fails it.
    public func safeFlatJoin<Other>(
        _ type: Other.Type = Other.self,
        _ transform: @escaping @Sendable (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>)> {
        flatJoin { try transform($0)?.safeResult() }
    }

    /// The twin of ``safeSeriesNullableJoin(_:callback:)`` that doesn't use the main actor.
    ///
    /// - Parameters:
    ///   - type: the type of the second value; needed for a closure with `return nil`.
    ///   - transform: makes the second future; with `nil`, the second value is `nil`. An error that it throws fails the
    ///     chain.
    public func safeFlatNullableJoin<Other>(
        _ type: Other.Type = Other.self,
        _ transform: @escaping @Sendable (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>?)> {
        flatNullableJoin { try transform($0)?.safeResult() }
    }
}
