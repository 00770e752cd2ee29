/// The `async` side.
extension ResponseFuture {
    /// The value, as soon as it is there; starts the future if need be.
    ///
    /// ```swift
    /// let user = try await dispatcher.dataFuture(from: request).decoded(User.self).value
    /// ```
    ///
    /// Any number of tasks may await the same future; its work runs once. Awaiting does not touch the main actor
    /// unless the chain contains a callback that belongs there (contract rule NO-MAIN).
    ///
    /// Cancelling the awaiting task resumes it at once, and cancels the future if nobody else is interested in it
    /// (contract rules DOWN and SHARED). Work that has not suspended yet may run on the awaiter's own thread, unless the
    /// awaiter is on an actor: it is told of the cancellation, and the await ends when that work suspends or returns.
    ///
    /// - Throws: what the future failed with; `CancellationError` if it, or the awaiting task, was cancelled.
    @inlinable
    public nonisolated(nonsending) var value: Success {
        consuming get async throws {
            let future = consume self
            return try await Self.value(of: consume future)
        }
    }

    /// The value, under its legacy name: the same as ``value``.
    ///
    /// - Throws: what the future failed with; `CancellationError` if it, or the awaiting task, was cancelled.
    @inlinable
    public consuming func fetchResult() async throws -> Success {
        let future = consume self
        return try await Self.value(of: consume future)
    }

    /// The value or the error, as soon as one is there; starts the future if need be. Otherwise like ``value``.
    ///
    /// A cancelled future, or awaiting task, gives a failure with `CancellationError`.
    @inlinable
    public nonisolated(nonsending) var result: Result<Success, any Error> {
        consuming get async {
            let future = consume self
            do { return .success(try await Self.value(of: consume future)) } catch { return .failure(error) }
        }
    }
}

/// How an awaiter comes to the value.
extension ResponseFuture {
    /// The value of a future that may be the awaiter's alone, as it is in
    /// `try await ResponseFuture { … }.then { … }.value`: nobody else can be interested in it then, or cancel its work. (A
    /// weak reference reaches its actor, which is told of the outcome, and not the work.)
    @inlinable
    nonisolated(nonsending) static func value(of future: consuming ResponseFuture<Success>) async throws -> Success {
        if let outcome = future.rememberedOutcome { return try outcome.unboxed() }
        // Work that belongs in the background must not run on the awaiter's actor.
        let isolation = #isolation
        if isolation == nil, isKnownUniquelyReferenced(&future), future.claimForAwaiter() {
            return try await future.valueForOnlyAwaiter()
        }
        return try await future.outcome().get()
    }

    /// Claims the link for the awaiter's own task: nobody else can be interested, and there is nothing in it that an
    /// awaiter could not leave at once when its task is cancelled.
    @inlinable
    func claimForAwaiter() -> Bool {
        isPromptThroughout && !Task.isCancelled && claimForChild()
    }

    /// Does the work in the awaiter's own task: no task, no actor, no memory of the outcome; unless something turns up
    /// that has to be waited for.
    @inlinable
    func valueForOnlyAwaiter() async throws -> Success {
        do {
            if !isSynchronousThroughout { try await waitForPromptWork() }
            var context = WorkContext(receiver: nil)
            let value = try valueInPlace(in: &context)
            if Task.isCancelled { throw CancellationError() }
            return value
        } catch is MustWait {
            return try await outcome(isClaimed: true).get()
        } catch {
            return try FutureOutcome<Success>(failure: error).get()
        }
    }

    /// Waits for what is not synchronous in the link, or above it, as a part of the awaiter's own task.
    @usableFromInline
    func waitForPromptWork() async throws {
        let receiver = NoReceiver()
        if kind == .prompt { return await settleInPlace(for: receiver) }
        beginFuturesAbove(for: receiver)
        do {
            try await waitForFuturesAbove(for: receiver)
        } catch {
            _ = takeStage()
            abandonFuturesAbove()
            didConsume { FutureOutcome(failure: error) }
            throw error
        }
        // What the links make now has not been begun.
        unmarkBegunParents()
    }
}
