// Sound for the reason above `AnyResponseFuture`: only the code that claimed the work of the link, or `deinit`, touches
// `stage` and `forwards`, and the outcome of a link that remembers it never changes again. `transformCount` and `origin`
// change only while one reference, of one thread, is all there is. All else is constant.

/// A value that arrives later, described now: cold, chainable, `Sendable`, and backed by an actor.
///
/// One run of the same future serves callbacks and `async/await` alike:
///
/// ```swift
/// let post = dispatcher.dataFuture(from: request).decoded(Post.self)
///
/// post.success { post in self.show(post.data) }      // on the main actor
///     .error { error in self.show(error) }
///     .send()
///
/// let same = try await post.value                    // no second request
/// ```
///
/// Building and chaining runs nothing (COLD). The future starts with the first `send()`, `await`, or start of a future
/// that was made from it; its work runs at most once (ONCE), and its outcome stays (MEMO). The rules in capitals are
/// the package's contract: <doc:Contract>.
///
/// An actor is made when the future is first observed: with the first callback, `send()`, `cancel()`, or await of a
/// future that other code can reach. It owns what the observers share: the outcome, the awaiters, the callbacks, and
/// the task that works. A link inside a chain that nothing else can reach has none.
public final class ResponseFuture<Success: Sendable>: AnyResponseFuture, @unchecked Sendable {
    /// The state of a future.
    public typealias Status = FutureStatus

    /// A legacy action: it gets its future, and settles it at once or later.
    public typealias ActionCallback = @Sendable (ResponseFuture<Success>) throws -> Void

    /// Work that reports its progress. Its first argument is the run that it works for.
    package typealias ReportingOperation =
        @Sendable (FutureRun, @escaping @Sendable (TransferUpdate) -> Void) async throws -> Success

    /// The work of a link that may suspend. Its arguments are the link itself, to reach its settled parent, and the run
    /// that it works for.
    @usableFromInline
    package typealias Operation = @Sendable (AnyResponseFuture, FutureRun) async throws -> TypedFutureValue<Success>

    /// The work of a link that needs no suspension once its parent's value is available. It returns `nil` if it has to
    /// wait first for something that is now above the link, and is tried again afterwards.
    @usableFromInline
    typealias Transform = @Sendable (AnyResponseFuture, inout WorkContext) throws -> Success?

    /// The work that a link still has to do, or its outcome.
    @usableFromInline
    enum Stage {
        case operation(Operation)
        case callback(any CallbackWork<Success>)
        case transform(Transform)
        case action(ActionCallback)
        case join(Join<Success>)
        case settled(FutureOutcome<TypedFutureValue<Success>>)
        /// Not a separate future: the reference through which an action settles one.
        case promise
        case taken
    }

    @exclusivity(unchecked) @usableFromInline final var stage: Stage

    /// Whether the link only forwards its parent's value.
    @exclusivity(unchecked) @usableFromInline final var forwards = false

    /// How many transforms the work of the link has, if it has nothing else; 0 for other work.
    @exclusivity(unchecked) @usableFromInline final var transformCount: UInt8 = 0

    /// The origin of the future, if known.
    @exclusivity(unchecked) @usableFromInline final var origin: FutureOrigin?

    @inlinable
    package init(
        parent: consuming AnyResponseFuture?, kind: WorkKind = .asynchronous, origin: FutureOrigin? = nil,
        operation: @escaping Operation
    ) {
        stage = .operation(operation)
        self.origin = origin
        super.init(parent: consume parent, kind: kind)
    }

    /// A future of work that may suspend.
    init(origin: FutureOrigin?, stage: Stage) {
        self.stage = stage
        self.origin = origin
        super.init(parent: nil, kind: .asynchronous)
    }

    @inlinable
    init(
        parent: consuming AnyResponseFuture?, origin: FutureOrigin? = nil, transformCount: UInt8 = 0,
        transform: @escaping Transform
    ) {
        stage = .transform(transform)
        self.transformCount = transformCount
        self.origin = origin
        super.init(parent: consume parent, kind: .synchronous)
    }

    /// A future of the values of others.
    @inlinable
    init(join: Join<Success>) {
        stage = .join(join)
        origin = nil
        super.init(parent: nil, kind: .joining, startsOnCaller: !join.parts.placesOnCaller.isEmpty)
    }

    /// A future of the legacy form: the action gets its future, and settles it by ``succeed(with:)``, ``fail(with:)``,
    /// ``complete(with:)`` or ``AnyResponseFuture/cancel()``, at once or later, from any thread.
    ///
    /// ```swift
    /// ResponseFuture<Image> { future in
    ///     renderer.render { image in future.succeed(with: image) }
    /// }
    /// ```
    ///
    /// The action runs once, synchronously, on the thread that calls `send()` (or awaits the future); on the main actor
    /// in a future that `replace` or `seriesJoin` makes. An error that it throws fails the future. Its argument stands
    /// for the future that was created. When the last reference to that argument is released and nothing has settled
    /// it, the future fails with ``FutureError/abandoned(file:line:)``. A callback that the action attaches to its
    /// argument, and that captures it, is such a reference until it has run. Such a future looks like one that will be
    /// settled later, so settle it.
    ///
    /// - Parameters:
    ///   - file: where the future is created, for the message of that error and the future's description.
    ///   - line: where the future is created.
    ///   - action: does the work, or begins it.
    @preconcurrency
    public init(file: String = #fileID, line: UInt = #line, action: @escaping ActionCallback) {
        stage = .action(action)
        origin = .promise(PromiseOrigin(file: file, line: line))
        super.init(parent: nil, kind: .action)
    }

    /// A future of that form that is made for something.
    init(origin: FutureOrigin, action: @escaping ActionCallback) {
        stage = .action(action)
        self.origin = origin
        super.init(parent: nil, kind: .action)
    }

    /// A future that runs an `async` operation: the modern form.
    ///
    /// ```swift
    /// let user = ResponseFuture { try await database.user(id: 7) }
    /// ```
    ///
    /// The operation runs once, off the main actor, in a task of its own that is cancelled with the future. It
    /// inherits the priority and the task-local values of the task that starts it. What it throws fails the future;
    /// `CancellationError`, `URLError.cancelled` and `CocoaError.userCancelled` cancel it.
    ///
    /// An operation that awaits another future doesn't pass on that future's updates. Return that future from a
    /// `flatMap` instead, and its updates are updates of the result.
    ///
    /// ```swift
    /// ResponseFuture { try await vault.token() }.flatMap { token in client.posts(with: token) }
    /// ```
    ///
    /// - Parameters:
    ///   - file: where the future is created, for its description.
    ///   - line: where the future is created.
    ///   - operation: does the work.
    @inlinable
    public convenience init(
        file: String = #fileID, line: UInt = #line, operation: @escaping @Sendable () async throws -> Success
    ) {
        self.init(
            parent: nil, origin: .code([SourcePlace(file: file, line: line)]),
            operation: { _, _ in
                if Task.isCancelled { throw CancellationError() }
                return TypedFutureValue(try await operation())
            })
    }

    // Without this form the compiler would take the closure of `ResponseFuture { 1 }` for the value of `init(result:)`.

    /// A future that runs a synchronous operation in the background; otherwise like the `async` form.
    @inlinable
    public convenience init(
        file: String = #fileID, line: UInt = #line, operation: @escaping @Sendable () throws -> Success
    ) {
        self.init(
            parent: nil, origin: .code([SourcePlace(file: file, line: line)]), transformCount: 1,
            transform: { _, _ in
                if Task.isCancelled { throw CancellationError() }
                return try operation()
            })
    }

    // Disfavoured, because a trailing closure would otherwise be taken for the value.

    /// A future that has this value as soon as it is started.
    @inlinable @_disfavoredOverload
    public convenience init(result: Success) {
        self.init(parent: nil, transformCount: 1, transform: { _, _ in result })
    }

    /// A future that fails with this error as soon as it is started.
    public convenience init(error: any Error) {
        self.init(parent: nil, transformCount: 1, transform: { _, _ in throw error })
    }

    /// A future that runs an operation which reports its progress.
    package convenience init(
        origin: FutureOrigin? = nil, reportingOperation operation: @escaping ReportingOperation
    ) {
        self.init(
            parent: nil, origin: origin,
            operation: { _, run in
                if Task.isCancelled { throw CancellationError() }
                return TypedFutureValue(try await run.reporting(operation))
            })
    }

    /// A reference to the future of `run`: a promise, which settles it, or a plain reference.
    init(standingFor run: FutureRun, isPromise: Bool, origin: FutureOrigin?) {
        stage = isPromise ? .promise : .taken
        self.origin = origin
        super.init(standingFor: run, isPromise: isPromise)
    }

    deinit {
        switch kind {
        case .promise: if case .promise(let origin) = origin { storedRun?.settle(.failure(origin.place.abandonment)) }
        case .standIn: storedRun?.leaveUnsent()
        default: break
        }
        // Before the work, so that the parent is released first and the list of the trampoline stays short.
        dropParent()
        switch stage {
        case .operation, .callback, .transform, .action, .join: releaseUnusedStage()
        case .settled where storedRun == nil: releaseUnusedStage()
        // The run has the outcome, too.
        case .settled: stage = .taken
        case .promise, .taken: break
        }
        dropRun()
    }

    /// Work that was never done may have captured futures, which have captured others (contract rule DEPTH). So may the
    /// outcome of work that was done in place, for a link that was cancelled before it took that.
    private func releaseUnusedStage() {
        var unused: Stage? = takeStage()
        Trampoline.release(&unused)
    }

    /// Starts the future and delivers to its callbacks; a second call is a no-op: see ``AnyResponseFuture/send()``.
    @inlinable
    override public func send() {
        if run.send(retaining: self) { launchUnlessClaimed(isHere: false) }
    }

    // MARK: The work

    override var isForwarding: Bool { forwards }

    override var depth: Int { max(1, Int(transformCount)) }

    override func beginWork(isHere: Bool) { startWork(isHere: isHere) }

    /// Runs a legacy action, here and now (contract rule SYNC-START).
    @usableFromInline
    func beginAction() {
        EarlyParts.callOut {
            // Inside, because the release of either may call code of others.
            guard case .action(let action) = takeStage() else { return }
            // Only now: from here on whatever settles the run puts the outcome where the action was.
            run.beginAction(of: self)
            let promise = ResponseFuture(standingFor: run, isPromise: true, origin: origin)
            do { try action(promise) } catch { promise.fail(with: error) }
        }
    }

    @usableFromInline
    override func dropWork() {
        EarlyParts.callOut {
            releaseUnusedStage()
            dropParent()
        }
    }

    override func settleInPlace(for head: FutureRun) async {
        stage = .settled(await outcome(for: head))
    }

    override func settleInPlaceNow(for head: FutureRun) -> Bool {
        var context = WorkContext(for: head)
        do {
            guard let value = try performTransform(in: &context) else { return false }
            stage = .settled(.success(TypedFutureValue(value)))
        } catch {
            stage = .settled(FutureOutcome(failure: error))
        }
        dropParent()
        return true
    }
}

extension ResponseFuture.Stage: Sendable {}
