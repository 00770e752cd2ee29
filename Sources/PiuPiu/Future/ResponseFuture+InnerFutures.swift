internal import Synchronization

/// Futures that synchronous work makes, or is given, on its way: those of `flatMap` and `flatJoin`.
extension ResponseFuture {
    /// Goes on with the value of another future.
    @inlinable
    static func goOn(
        with inner: consuming ResponseFuture<Success>, in link: AnyResponseFuture, _ context: inout WorkContext
    ) throws -> Success {
        var inner: ResponseFuture<Success>? = consume inner
        if let value = try valueNow(of: &inner, in: link, &context) { return value }
        link.isForwarding = true
        link.standForInnerFutures()
        return try mustWait(in: link) { link, context in
            try ResponseFuture<Success>.pull(from: link, in: &context)
        }
    }

    /// Goes on with what `finish` makes of the value of another future.
    @inlinable
    static func goOn<Inner>(
        with inner: consuming ResponseFuture<Inner>, in link: AnyResponseFuture, _ context: inout WorkContext,
        finish: @escaping @Sendable (Inner) -> Success
    ) throws -> Success {
        var inner: ResponseFuture<Inner>? = consume inner
        if let value = try ResponseFuture<Inner>.valueNow(of: &inner, in: link, &context) { return finish(value) }
        return try mustWait(in: link) { link, context in
            finish(try ResponseFuture<Inner>.pull(from: link, in: &context))
        }
    }

    /// The value, if it is there or can be had without a suspension; else the future becomes the parent of `link`.
    @inlinable
    static func valueNow(
        of inner: inout ResponseFuture<Success>?, in link: AnyResponseFuture, _ context: inout WorkContext
    ) throws -> Success? {
        if let outcome = inner?.rememberedOutcome { return try outcome.unboxed() }
        let isClaimed = isKnownUniquelyReferenced(&inner) && inner?.claimForChild() == true
        if isClaimed, inner?.isSynchronousThroughout == true, context.hasRoomForInnerFuture {
            context.depth += 1
            defer { context.depth -= 1 }
            do { return try inner?.valueInPlace(in: &context) } catch is MustWait {}
        }
        try link.takeUp(&inner, isClaimed: isClaimed, for: context.receiver)
        return nil
    }

    /// Leaves in `link` what is to be done after the wait.
    @usableFromInline
    static func mustWait(in link: AnyResponseFuture, _ rest: @escaping Transform) throws -> Success {
        (link as? ResponseFuture<Success>)?.stage = .transform(rest)
        throw MustWait()
    }
}

extension AnyResponseFuture {
    /// Makes a future that this link has made, or was given, its parent, and starts it.
    @usableFromInline
    final func takeUp<Inner: AnyResponseFuture>(
        _ inner: inout Inner?, isClaimed: Bool, for receiver: (any UpdateReceiver)?
    ) throws {
        guard let future = inner.take() else { return }
        if future === self { throw FutureError.waitsForItself }
        if let receiver {
            let start =
                isClaimed
                ? FutureStart(partOf: receiver, future) : try FutureStart(registering: receiver, with: future)
            start?.begin()
        }
        parent = future
        runsParent = isClaimed
        hasBegunParent = receiver != nil
    }

    /// Leaves out the futures above that only stand for others, so that an endless recursion through `flatMap` takes
    /// no more and more of them.
    @usableFromInline
    final func standForInnerFutures() {
        while runsParent, let inner = parent, inner.isForwarding,
            inner.claim.compareExchange(
                expected: Claim.byChild.rawValue, desired: Claim([.byChild, .consumed]).rawValue,
                ordering: .acquiringAndReleasing
            ).exchanged
        {
            parent = inner.parent.take()
            runsParent = inner.runsParent
            hasBegunParent = inner.hasBegunParent
        }
    }
}
