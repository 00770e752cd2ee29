/// The `async` side.
extension ResponseFuture {
    /// The value, as soon as it is available; starts the future if necessary.
    ///
    /// ```swift
    /// let user = try await dispatcher.dataFuture(from: request).decoded(User.self).value
    /// ```
    ///
    /// Any number of tasks may await the same future; its work runs once. Awaiting does not touch the main actor
    /// unless the chain contains a callback that belongs there (contract rule NO-MAIN), and raises the priority of the
    /// work to that of the awaiting task (ESCALATE).
    ///
    /// Cancelling the awaiting task resumes it at once, and cancels the future if nobody else is interested in it
    /// (contract rules DOWN and SHARED). Work that has not suspended yet may run in the awaiter's own task, which
    /// leaves its actor for it: the cancellation reaches that work, and the await ends when it suspends or returns.
    ///
    /// - Throws: what the future failed with; `CancellationError` if it, or the awaiting task, was cancelled;
    ///   ``FutureError/waitsForItself`` if the future's own operation awaits it.
    @inlinable
    public nonisolated(nonsending) var value: Success {
        consuming get async throws {
            let future = consume self
            return try await Self.value(of: consume future)
        }
    }

    /// The value, under its legacy name: the same as ``value``.
    ///
    /// - Throws: what the future failed with; `CancellationError` if it, or the awaiting task, was cancelled;
    ///   ``FutureError/waitsForItself`` if the future's own operation awaits it.
    @inlinable
    public consuming func fetchResult() async throws -> Success {
        let future = consume self
        return try await Self.value(of: consume future)
    }

    /// The value or the error, as soon as one is available; starts the future if necessary. Otherwise like ``value``.
    ///
    /// If the future or the awaiting task is cancelled, the result is a failure with `CancellationError`.
    @inlinable
    public nonisolated(nonsending) var result: Result<Success, any Error> {
        consuming get async {
            let future = consume self
            do { return .success(try await Self.value(of: consume future)) } catch { return .failure(error) }
        }
    }
}

/// How an awaiter gets the value.
extension ResponseFuture {
    @inlinable
    nonisolated(nonsending) static func value(of future: consuming ResponseFuture<Success>) async throws -> Success {
        if let outcome = future.rememberedOutcome { return try outcome.unboxed() }
        // Work that belongs in the background must not run on the awaiter's actor.
        let isolation = #isolation
        if isolation == nil {
            // `Task.immediate` begins code that is on no actor where it is called.
            if MainQueueMark.isHere { return try await future.outcome(isHere: false).get() }
            if let value = try valueNow(of: &future) { return value }
            return try await future.outcome(isHere: true).get()
        }
        if future.startsOnCaller { return try await future.outcome(isHere: false).get() }
        return try await valueInBackground(of: consume future)
    }

    /// The value, for an awaiter on an actor, which it leaves while the work runs.
    @inlinable @concurrent
    static func valueInBackground(of future: consuming ResponseFuture<Success>) async throws -> Success {
        // The task may prefer an executor that is the main queue.
        if MainQueueMark.isHere { return try await future.outcome(isHere: false).get() }
        if let value = try valueNow(of: &future) { return value }
        return try await future.outcome(isHere: true).get()
    }

    /// The value of a future that nobody else can reach and that needs no suspension, as in
    /// `try await ResponseFuture { … }.then { … }.value`: the awaiter's own task evaluates it.
    @inlinable
    static func valueNow(of future: inout ResponseFuture<Success>) throws -> Success? {
        // In this order: other code may have changed the state before it released the last other reference.
        guard future.isSynchronousThroughout, Privacy.isOnlyReference(&future), future.presentState == .cold,
            !Task.isCancelled
        else { return nil }
        var context = WorkContext()
        do {
            let value = try future.performTransform(in: &context)
            if Task.isCancelled { throw CancellationError() }
            return value
        } catch {
            throw error.isCancellation ? CancellationError() : error
        }
    }

    /// The outcome, for an awaiter.
    ///
    /// - Parameter isHere: whether work may begin on the awaiter's stack.
    @inlinable
    func outcome(isHere: Bool) async -> FutureOutcome<Success> {
        switch join(isHere: isHere) {
        case .settled(let outcome): return outcome.typed()
        case .wait(let id): return await run.outcome(for: id).typed()
        case .launch(let id): return await run.outcome(for: id) { launchHere() }.typed()
        }
    }

    // Not inlined, to keep the frames of functions that suspend small: they are on the heap.

    /// Takes a token, and launches the work unless that is to be done by the caller, here.
    @inlinable @inline(never)
    func join(isHere: Bool) -> FutureJoin<any FutureValue> {
        if Task.isCancelled { return .settled(existingRun?.settledOutcome ?? .cancelled) }
        let run = run
        let join = run.joinAsAwaiter()
        switch join {
        case .settled, .wait:
            return join
        case .launch(let id):
            run.escalateToRaisedTask()
            if isHere { return join }
            // Before the wait, which leaves the caller's actor: an action belongs there (contract rule SYNC-START).
            if claimForRun() { launch() }
            return .wait(id)
        }
    }

    /// Launches the work on this stack.
    ///
    /// - Returns: the outcome, if it is there at once.
    @inlinable @inline(never)
    func launchHere() -> FutureRun.Outcome? {
        launchUnlessClaimed(isHere: true)
        return rememberedOutcome?.erasingBox()
    }
}
