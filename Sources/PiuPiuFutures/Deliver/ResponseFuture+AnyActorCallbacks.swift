/// The modern callbacks: each runs in the isolation in which its closure was formed (contract rule ANY-ACTOR).
///
/// A closure formed on the main actor runs there, one formed in a method of an actor runs on that actor, and any other
/// in the background. (In an actor use `self` as it is: with `[weak self]` the compiler takes the closure out of the
/// actor.) They add up: several of a kind run in the order in which they were attached. They keep the order of the
/// PiuPiu-style callbacks: updates, one outcome, completion. Operators discard none of them. Attaching starts
/// nothing, and the compiler warns where the future is not used after it: call ``AnyResponseFuture/send()``, or write
/// `_ =` where other code starts it. A callback attached after the end runs soon.
///
/// An awaiter of the future doesn't wait for the callbacks: what a callback stores may not be there yet. Put what an
/// awaiter relies on into a `then`, which runs before anybody gets the value.
extension ResponseFuture {
    /// Called with the value, in the closure's isolation.
    ///
    /// ```swift
    /// actor Library {
    ///     var books: [Book] = []
    ///     func load() {
    ///         client.books().onSuccess { self.books = $0 }.send()
    ///     }
    /// }
    /// ```
    ///
    /// An error that the callback throws goes to `onFailure` after the other success callbacks have run; of several
    /// errors, the first.
    @inlinable
    public func onSuccess(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Success) throws -> Void
    ) -> Self {
        run.attach(.success(TypedValueCallback(callback)), for: .success, of: self)
        return self
    }

    /// Called with the error that the chain or an `onSuccess` callback threw, in the closure's isolation.
    public func onFailure(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (any Error) -> Void
    ) -> Self {
        run.attach(.failure(callback), for: .failure, of: self)
        return self
    }

    /// Called when the future was cancelled, in the closure's isolation.
    public func onCancellation(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) () -> Void
    ) -> Self {
        run.attach(.plain(callback), for: .cancellation, of: self)
        return self
    }

    /// Called at the end, whatever the outcome, in the closure's isolation.
    public func onCompletion(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) () -> Void
    ) -> Self {
        run.attach(.plain(callback), for: .completion, of: self)
        return self
    }

    /// Called with each update, in order, in the closure's isolation.
    public func onUpdate(
        @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (TransferUpdate) -> Void
    ) -> Self {
        run.attach(.update(callback), for: .update, of: self)
        return self
    }
}
