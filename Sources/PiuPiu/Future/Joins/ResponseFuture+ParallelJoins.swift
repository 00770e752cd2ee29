/// Joins in parallel: another future is run beside this one, and both values go on.
///
/// The callback runs at once, while the chain is being built, and is not kept; the future that it makes is started
/// together with this one (contract rule COLD). The first failure cancels the other future, and is the error of the
/// join; if one is cancelled, so is the other, and the join (contract rule GROUPS). Updates of both are updates of the
/// join. None of it visits the main actor.
extension ResponseFuture {
    /// Runs another future beside this one, and goes on with both values.
    ///
    /// ```swift
    /// posts.parallelJoin([User].self) { client.users() }
    ///     .success { posts, users in … }
    ///     .send()
    /// ```
    ///
    /// - Parameters:
    ///   - type: the kind of the other value; it may be left out.
    ///   - callback: makes the other future. It runs once, now.
    public consuming func parallelJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>
    ) -> ResponseFuture<(Success, Other)> {
        join(callback())
    }

    /// Runs another future, if there is one, beside this one, and goes on with both values.
    ///
    /// - Parameters:
    ///   - type: the kind of the other value; a closure with `return nil` needs it, others may leave it out.
    ///   - callback: makes the other future; with `nil` the join goes on with `nil` for its value. It runs once, now.
    public consuming func parallelNullableJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other?)> {
        guard let other = callback() else { return then { ($0, nil) } }
        return join(other).then { ($0, $1) }
    }

    /// Like ``parallelJoin(_:callback:)``, but a failure of the other future is a value; only one of this future fails
    /// the join.
    ///
    /// - Parameters:
    ///   - type: the kind of the other value; it may be left out.
    ///   - callback: makes the other future. It runs once, now.
    public consuming func safeParallelJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>
    ) -> ResponseFuture<(Success, Result<Other, any Error>)> {
        join(callback().safeResult())
    }

    /// Like ``parallelNullableJoin(_:callback:)``, but a failure of the other future is a value.
    ///
    /// - Parameters:
    ///   - type: the kind of the other value; a closure with `return nil` needs it, others may leave it out.
    ///   - callback: makes the other future; with `nil` the join goes on with `nil` for its value. It runs once, now.
    public consuming func safeParallelNullableJoin<Other>(
        _ type: Other.Type = Other.self, callback: () -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>?)> {
        parallelNullableJoin { callback()?.safeResult() }
    }
}
