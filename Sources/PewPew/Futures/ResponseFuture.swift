import PiuPiu

/// A value that arrives later, delivered to callbacks.
///
/// ```swift
/// dispatcher.future(from: request)
///     .then { response in try response.decode([Post].self) }
///     .response { posts in self.show(posts) }
///     .error { error in self.show(error) }
///     .completion { self.hideSpinner() }
///     .send()
/// ```
///
/// Nothing runs before ``send()``. The action runs inside it. Callbacks, including those of operators, run on the main
/// actor: inside `succeed` or `fail` if these are called there, as a dispatcher does, else later. If the callback of an
/// operator makes a future, the chain goes on after that future's action has returned. A chain may have any length.
///
/// - There is one callback of each kind; attaching another replaces it. An operator (`then`, `join`, …) replaces all
///   callbacks of its parent except the completion, also while that runs.
/// - A run has one outcome, the first, and one completion. A `send()` during a run joins it.
/// - After a run its callbacks are released. A later `send()` does nothing, unless a callback was attached since: then
///   the action runs again, after the completion if one of its callbacks sends it.
/// - When the last reference to a running future is gone, nothing can settle it: it fails with `FutureError.abandoned`.
///   One that waits for itself fails with `FutureError.waitsForItself`.
///
/// ``value`` and ``piuPiuFuture()`` lead to PiuPiu.
@preconcurrency
public final class ResponseFuture<T: Sendable>: Sendable {
    /// The type of an action: it gets its future, and settles it at once or later.
    public typealias ActionCallback = @Sendable (ResponseFuture<T>) throws -> Void
    /// The type of a `response` callback.
    public typealias ResponseHandler = @MainActor (T) throws -> Void
    /// The type of an `error` callback.
    public typealias ErrorHandler = @MainActor (any Error) -> Void
    /// The type of a `completion` callback.
    public typealias CompletionHandler = @MainActor () -> Void

    /// Where a future is in its life.
    public enum Status: Sendable {
        /// It hasn't been sent.
        case created
        /// Its action runs, or its callbacks do.
        case started
        /// It ended with a value.
        case success
        /// It ended with an error, or its `response` callback threw one. A cancelled one has ended before its callbacks
        /// run.
        case error
    }

    let core: RunCore<ResponseFuture<T>>
    private let ownerNumber: Int

    /// Makes a future of an action.
    ///
    /// ```swift
    /// ResponseFuture<Image>(action: { future in
    ///     renderer.render { image in future.succeed(with: image) }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - file: where the future is created, for the message of an error.
    ///   - line: where the future is created.
    ///   - action: runs inside ``send()``, on its thread. What it throws fails the future.
    @preconcurrency
    public convenience init(file: String = #fileID, line: UInt = #line, action: @escaping ActionCallback) {
        self.init(file: file, line: line, actionInRun: { future, _ in try action(future) })
    }

    /// Makes a future of an action that gets the number of its run, too.
    convenience init(
        file: String = #fileID, line: UInt = #line,
        actionInRun action: @escaping @Sendable (ResponseFuture<T>, Int) throws -> Void
    ) {
        self.init(core: RunCore(abandonment: .abandoned(file: file, line: line), action: action))
    }

    /// Makes the first owner of a core.
    convenience init(core: RunCore<ResponseFuture<T>>) {
        self.init(core: core, number: 0)
        core.setOwner(self)
    }

    /// Makes an owner of a core.
    init(core: RunCore<ResponseFuture<T>>, number: Int) {
        self.core = core
        ownerNumber = number
    }

    deinit { core.ownerHasGone(number: ownerNumber) }

    /// Where the future is in its life.
    public var status: Status {
        switch core.phase {
        case .created: .created
        case .running, .delivering: .started
        case .finished(_, delivered: .success): .success
        case .finished: .error
        }
    }

    // MARK: Settling

    /// Ends the future with a value, unless it has ended: calls the `response` callback, then the completion.
    public func succeed(with object: T) {
        core.settle(.success(object))
    }

    /// Ends the future with an error, unless it has ended: calls the `error` callback, then the completion.
    public func fail(with error: any Error) {
        core.settle(.error(error))
    }

    /// Sends this future, and ends the other one with its outcome.
    public func fulfill(_ future: ResponseFuture<T>) {
        fulfill(future, inRun: nil)
    }

    /// Sends this future, and ends a run of the other one with its outcome; `nil` is the present run.
    func fulfill(_ future: ResponseFuture<T>, inRun run: Int?) {
        RunStep.perform(core.observing(for: future, inRun: run, .send) { future.core.settling($0, ofRun: $1) })
    }

    // MARK: Callbacks

    /// Called with the value, at most once a run. An error that it throws goes to the `error` callback.
    @preconcurrency
    public func response(_ handler: @escaping ResponseHandler) -> ResponseFuture<T> {
        core.attach { $0.success = handler }
        return self
    }

    /// Called with the error of the chain, or of the `response` callback, at most once a run.
    @preconcurrency
    public func error(_ handler: @escaping ErrorHandler) -> ResponseFuture<T> {
        core.attach { $0.error = handler }
        return self
    }

    /// Called at the end, exactly once a run, after the other callbacks.
    @preconcurrency
    public func completion(_ handler: @escaping CompletionHandler) -> ResponseFuture<T> {
        core.attach { $0.completion = handler }
        return self
    }

    // MARK: Sending

    /// Runs the action, on this thread, unless the future runs already.
    @discardableResult
    public func start() -> ResponseFuture<T> {
        core.send(as: self)
        return self
    }

    /// Runs the action: the same as ``start()``.
    @discardableResult
    public func send() -> ResponseFuture<T> { start() }
}

extension ResponseFuture: RunOwner {
    typealias Value = T
    typealias Failure = Never
}
