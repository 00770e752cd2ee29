/// The callbacks under the names that PiuPiu gave them.
///
/// They run on the main actor (contract rule MAIN), in this order: `updated` any number of times, one of `success`,
/// `error` and `cancellation`, and `completion` at the end (ORDER). Each is a slot: attaching one again replaces it
/// (SLOT). A started operator (`then`, `replace`, …) discards all of its parent's callbacks but `completion`, unless
/// that parent was sent itself: attach them after the last operator. A callback attached to a future that has settled
/// runs soon, with the outcome that the future remembers (MEMO). Attaching starts nothing: call
/// ``AnyResponseFuture/send()``.
///
/// An awaiter of the future doesn't wait for the callbacks, as those wait for the main actor (NO-MAIN): what a callback
/// stores may not be there yet. Put what an awaiter relies on into a `then`, which runs before anybody gets the value.
extension ResponseFuture {
    /// Called with the value.
    ///
    /// ```swift
    /// future
    ///     .success { user in self.show(user) }
    ///     .error { error in self.show(error) }
    ///     .send()
    /// ```
    ///
    /// On the main actor, at most once. An error that the callback throws goes to `error`, and then `completion` runs;
    /// awaiters still get the value (contract rule THROW). A thrown `CancellationError` goes to `cancellation` instead.
    @inlinable
    @preconcurrency
    public func success(_ callback: @escaping @MainActor (Success) throws -> Void) -> ResponseFuture<Success> {
        run.attach(
            .success { value in
                if let value = TypedFutureValue<Success>.value(in: value) { try callback(value) }
            }, for: .success, of: self)
        return self
    }

    /// Called with the error that the chain, or the `success` callback, threw; on the main actor, at most once. A
    /// cancellation is not an error.
    @preconcurrency
    public func error(_ callback: @escaping @MainActor (any Error) -> Void) -> ResponseFuture<Success> {
        run.attach(.failure(callback), for: .failure, of: self)
        return self
    }

    /// Called with the value or the error: fills both `success` and `error`.
    ///
    /// On the main actor, at most once, and not at all if the future is cancelled.
    @preconcurrency
    public func result(_ callback: @escaping @MainActor (Result<Success, any Error>) -> Void) -> ResponseFuture<Success>
    {
        success { callback(.success($0)) }.error { callback(.failure($0)) }
    }

    /// Called at the end, whatever the outcome; on the main actor, exactly once for a future that was sent, and after
    /// every other main-actor callback. There is no order between it and `onSuccess` and its kin.
    @preconcurrency
    public func completion(_ callback: @escaping @MainActor () -> Void) -> ResponseFuture<Success> {
        run.attach(.plain(callback), for: .completion, of: self)
        return self
    }

    /// Called when the future was cancelled, by ``AnyResponseFuture/cancel()``, by a callback that returned `nil`, or
    /// because a future that it was made from was cancelled; on the main actor, at most once.
    @preconcurrency
    public func cancellation(_ callback: @escaping @MainActor () -> Void) -> ResponseFuture<Success> {
        run.attach(.plain(callback), for: .cancellation, of: self)
        return self
    }

    /// Called with each update of the work.
    ///
    /// ```swift
    /// future.updated { update in bar.progress = update.progress.fractionReceived ?? 0 }
    /// ```
    ///
    /// On the main actor, in the order in which the updates were made, and never after the outcome. The updates of all
    /// futures of a chain arrive here. A data request makes one at the start, one for the head of the response, and
    /// one for each chunk sent or received.
    @preconcurrency
    public func updated(_ callback: @escaping @MainActor (TransferUpdate) -> Void) -> ResponseFuture<Success> {
        updatedAndEnded { update in if !update.isEnd { callback(update) } }
    }

    /// The same slot, with the ends of transfers, too.
    package func updatedAndEnded(_ callback: @escaping @MainActor (TransferUpdate) -> Void) -> ResponseFuture<Success> {
        run.attach(.update(callback), for: .update, of: self)
        return self
    }
}
