/// Futures that synchronous work makes or is given while it runs: those of `flatMap` and `flatJoin`.
extension ResponseFuture {
    /// Continues with the value of another future; `nil` if that isn't available yet.
    @inlinable
    static func goOn(
        with inner: consuming ResponseFuture<Success>, in link: AnyResponseFuture, _ context: inout WorkContext
    ) throws -> Success? {
        if let value = try valueNow(of: consume inner, in: link, &context) { return value }
        (link as? ResponseFuture<Success>)?.forwards = true
        link.standForInnerFutures()
        keepRest(in: link) { link, context in try ResponseFuture<Success>.value(ofParentOf: link, in: &context) }
        return nil
    }

    /// Continues with what `finish` makes of the value of another future; `nil` if that isn't available yet.
    @inlinable
    static func goOn<Inner>(
        with inner: consuming ResponseFuture<Inner>, in link: AnyResponseFuture, _ context: inout WorkContext,
        finish: @escaping @Sendable (Inner) -> Success
    ) throws -> Success? {
        if let value = try ResponseFuture<Inner>.valueNow(of: consume inner, in: link, &context) {
            return finish(value)
        }
        keepRest(in: link) { link, context in
            try ResponseFuture<Inner>.value(ofParentOf: link, in: &context).map(finish)
        }
        return nil
    }

    /// The value, if it is available without a suspension; otherwise the future becomes the parent of `link`.
    @inlinable
    static func valueNow(
        of inner: consuming ResponseFuture<Success>, in link: AnyResponseFuture, _ context: inout WorkContext
    ) throws -> Success? {
        if let outcome = inner.rememberedOutcome { return try outcome.unboxed() }
        let isClaimed = Privacy.isOnlyReference(&inner) && inner.claimInPlace()
        if isClaimed, inner.isSynchronousThroughout, context.depth < WorkContext.depthLimit {
            let depth = max(1, Int(inner.transformCount))
            context.depth += depth
            defer { context.depth -= depth }
            if let value = try inner.performTransform(in: &context) { return value }
        }
        try link.takeUp(inner, isClaimed: isClaimed)
        return nil
    }

    /// Stores in `link` what is left to do after the wait.
    @usableFromInline
    static func keepRest(in link: AnyResponseFuture, _ rest: @escaping Transform) {
        (link as? ResponseFuture<Success>)?.stage = .transform(rest)
    }
}

extension AnyResponseFuture {
    /// Makes a future that this link has made, or was given, its parent.
    @usableFromInline
    final func takeUp(_ inner: AnyResponseFuture, isClaimed: Bool) throws {
        if inner === self { throw FutureError.waitsForItself }
        parent = inner
        parentClaim = isClaimed ? .inPlace : .none
    }

    /// Removes the futures above that only forward others, so that their number doesn't grow in an endless recursion
    /// through `flatMap`.
    @usableFromInline
    final func standForInnerFutures() {
        while case .inPlace = parentClaim, let inner = parent, inner.isForwarding {
            parent = inner.parent.take()
            parentClaim = inner.parentClaim
        }
    }
}
