extension ResponseFuture {
    /// The body of the run's own task.
    ///
    /// - Parameter isHere: whether it begins on another task's stack, which must not wait for callbacks (contract rule
    ///   PROMPT); otherwise it delivers to the observers itself.
    @inlinable @inline(__always)
    func work(isHere: Bool) async {
        let run = run
        isHere ? run.adoptCurrentTask() : run.noteCurrentTask()
        let hasObservers: Bool
        do {
            hasObservers = settle(run, withValue: try await evaluate(for: run))
        } catch {
            hasObservers = settle(run, withFailure: error)
        }
        guard hasObservers else { return }
        isHere ? run.beginObservers() : await run.deliverToObservers()
    }

    /// Does the work of this link, which the caller has claimed, as a part of the run `head`. The caller releases the
    /// work if this throws.
    @inlinable
    func evaluate(for head: FutureRun) async throws -> TypedFutureValue<Success> {
        if kind == .synchronous {
            if !isSynchronousThroughout { try await settleAbove(for: head) }
            while true {
                if let value = try performBoxedTransform(for: head) { return value }
                try await settleAbove(for: head)
            }
        }
        if hasParent, kind != .supervising { try await settleAbove(for: head) }
        // Nothing retains the operation once it has returned (contract rule RELEASE).
        return try await takeOperation()(self, head)
    }

    /// Does the work of this link, which the caller has claimed, as a part of the run `head`, and releases it.
    func outcome(for head: FutureRun) async -> FutureOutcome<TypedFutureValue<Success>> {
        do {
            return .success(try await evaluate(for: head))
        } catch {
            releaseWork()
            return FutureOutcome(failure: error)
        }
    }

    @usableFromInline
    func releaseWork() {
        _ = takeStage()
        dropParent()
    }

    // Not inlined, to keep the frames of functions that suspend small: they are on the heap, and what the compiler
    // doesn't know the size of takes a piece of its own there.

    /// Settles the run with the value of the work.
    ///
    /// - Returns: whether the caller has to deliver it to the observers.
    @inlinable @inline(never)
    func settle(_ run: FutureRun, withValue value: TypedFutureValue<Success>) -> Bool {
        settle(run, with: .success(value))
    }

    /// Releases the work, and settles the run with its error.
    ///
    /// - Returns: whether the caller has to deliver it to the observers.
    @inlinable @inline(never)
    func settle(_ run: FutureRun, withFailure error: any Error) -> Bool {
        releaseWork()
        return settle(run, with: FutureOutcome(failure: error))
    }

    @inlinable @inline(__always)
    func settle(_ run: FutureRun, with outcome: FutureOutcome<TypedFutureValue<Success>>) -> Bool {
        let (isFirst, hasObservers) = run.settleByWork(outcome.erasingBox())
        if isFirst { remember(outcome) }
        return hasObservers
    }

    /// Takes out the work that may suspend.
    @inlinable @inline(never)
    func takeOperation() throws -> Operation {
        switch takeStage() {
        case .operation(let operation):
            return operation
        case .callback(let work):
            return Self.operation(of: work)
        case .settled(let outcome):
            let value = try outcome.get()
            return { _, _ in value }
        case .join, .transform, .action, .promise, .taken:
            throw CancellationError()
        }
    }

    @usableFromInline
    static func operation(of work: any CallbackWork<Success>) -> Operation {
        { _, run in TypedFutureValue(try await work.perform(for: run)) }
    }

    /// The value of synchronous work, in a box.
    @inlinable @inline(never)
    func performBoxedTransform(for head: FutureRun) throws -> TypedFutureValue<Success>? {
        var context = WorkContext(for: head)
        return try performTransform(in: &context).map { TypedFutureValue($0) }
    }

    /// The value of synchronous work; `nil` if it has to wait for something first, and can be tried again afterwards.
    @inlinable @inline(__always)
    func performTransform(in context: inout WorkContext) throws -> Success? {
        switch takeStage() {
        case .transform(let transform):
            if let value = try transform(self, &context) { return value }
            if case .taken = stage { stage = .transform(transform) }
            return nil
        case .settled(let outcome):
            return try outcome.unboxed()
        case .operation(let operation):
            stage = .operation(operation)
            return nil
        case .callback(let work):
            stage = .callback(work)
            return nil
        case .join, .action, .promise, .taken:
            throw CancellationError()
        }
    }

    @inlinable @inline(__always)
    func takeStage() -> Stage {
        var taken = Stage.taken
        swap(&taken, &stage)
        return taken
    }

    /// The value of the parent of `link`, for the work of `link`, which releases the parent; `nil` if it isn't
    /// available yet.
    @inlinable
    static func value(
        ofParentOf link: AnyResponseFuture, in context: inout WorkContext
    ) throws -> Success? {
        if context.depth >= WorkContext.depthLimit { return nil }
        let value: Success
        switch link.takeParent() {
        case .inPlace(let parent):
            guard let future = parent as? ResponseFuture<Success> else { throw CancellationError() }
            let depth = max(1, Int(future.transformCount))
            context.depth += depth
            defer { context.depth -= depth }
            guard let evaluated = try future.performTransform(in: &context) else {
                link.putBack(parent)
                link.standForInnerFutures()
                return nil
            }
            value = evaluated
        case .settled(let outcome):
            value = try outcome.typed(as: Success.self).get()
        case .unsettled:
            return nil
        }
        try context.checkWork()
        return value
    }

    /// The value of the parent of `link`, which has settled.
    @inlinable
    static func value(ofSettledParentOf link: AnyResponseFuture) throws -> Success {
        var context = WorkContext()
        guard let value = try value(ofParentOf: link, in: &context) else { throw CancellationError() }
        return value
    }

    // MARK: Remembering

    /// Keeps the outcome of the run in the link itself. Only the caller that settled the run may call this.
    @inlinable
    func remember(_ outcome: FutureOutcome<TypedFutureValue<Success>>) {
        stage = .settled(outcome)
        _ = advance(\.remembering)
    }

    /// The outcome, if the link itself remembers it.
    @inlinable
    var rememberedOutcome: FutureOutcome<TypedFutureValue<Success>>? {
        guard presentState == .remembered, case .settled(let outcome) = stage else { return nil }
        return outcome
    }
}
