/// Joins in parallel: another future runs beside this one, and the value is a tuple of both.
///
/// The callback runs at once, while the chain is being built, and is not retained. The future that it makes starts
/// together with this one (contract rule COLD). The first failure cancels the other future, and is the error of the
/// join; if one is cancelled, so are the other and the join (contract rule GROUPS). Updates of both are updates of the
/// join. The main actor isn't used.
extension ResponseFuture {
    /// Runs another future beside this one, and continues with both values.
    ///
    /// ```swift
    /// posts.parallelJoin([User].self) { client.users() }
    ///     .success { posts, users in … }
    ///     .send()
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the other value; may be omitted.
    ///   - callback: makes the other future. It runs once, now.
    public consuming func parallelJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>
    ) -> ResponseFuture<(Success, Other)> {
        join(callback())
    }

    /// Runs an optional other future beside this one, and continues with both values.
    ///
    /// - Parameters:
    ///   - type: the type of the other value; needed for a closure with `return nil`.
    ///   - callback: makes the other future; with `nil`, the other value is `nil`. It runs once, now.
    public consuming func parallelNullableJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other?)> {
        guard let other = callback() else { return then { ($0, nil) } }
        return join(other).then { ($0, $1) }
    }

    /// Like ``parallelJoin(_:callback:)``, but a failure of the other future is a value; only a failure of this future
    /// fails the join.
    ///
    /// - Parameters:
    ///   - type: the type of the other value; may be omitted.
    ///   - callback: makes the other future. It runs once, now.
    public consuming func safeParallelJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>
    ) -> ResponseFuture<(Success, Result<Other, any Error>)> {
        join(callback().safeResult())
    }

    /// Like ``parallelNullableJoin(_:callback:)``, but a failure of the other future is a value.
    ///
    /// - Parameters:
    ///   - type: the type of the other value; needed for a closure with `return nil`.
    ///   - callback: makes the other future; with `nil`, the other value is `nil`. It runs once, now.
    public consuming func safeParallelNullableJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>?)> {
        parallelNullableJoin { callback()?.safeResult() }
    }
}
