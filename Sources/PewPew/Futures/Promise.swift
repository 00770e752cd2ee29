import PiuPiu

/// A future with three outcomes: a success, a failure that the caller expects, such as a 404, and an error.
///
/// ```swift
/// dispatcher.promise(from: request)
///     .success { response in self.show(try response.decode(Post.self)) }
///     .failure { response in throw response.error }
///     .error { error in self.show(error) }
///     .completion { self.hideSpinner() }
///     .send()
/// ```
///
/// It follows the rules of ``ResponseFuture``: nothing runs before ``send()``, callbacks run on the main actor, a run
/// has one outcome, and the callbacks are released after it. An error that a `success` or `failure` callback throws
/// goes to `error`.
@preconcurrency
public final class Promise<T: Sendable, E: Sendable>: Sendable {
    /// The type of an action: it gets its promise, and settles it at once or later.
    public typealias ActionCallback = @Sendable (Promise<T, E>) throws -> Void
    /// The type of a `success` callback.
    public typealias SuccessHandler = @MainActor (T) throws -> Void
    /// The type of a `failure` callback.
    public typealias FailureHandler = @MainActor (E) throws -> Void
    /// The type of an `error` callback.
    public typealias ErrorHandler = @MainActor (any Error) -> Void
    /// The type of a `completion` callback.
    public typealias CompletionHandler = @MainActor () -> Void

    /// Where a promise is in its life.
    public enum Status: Sendable {
        /// It hasn't been sent.
        case created
        /// Its action runs, or its callbacks do.
        case started
        /// It ended with a failure.
        case failure
        /// It ended with a value.
        case success
        /// It ended with an error, or its `success` or `failure` callback threw one. A cancelled one has ended before
        /// its callbacks run.
        case error
    }

    let core: RunCore<Promise<T, E>>
    private let ownerNumber: Int

    /// Makes a promise of an action.
    ///
    /// - Parameters:
    ///   - file: where the promise is created, for the message of an error.
    ///   - line: where the promise is created.
    ///   - action: runs inside ``send()``, on its thread. What it throws is the promise's error.
    @preconcurrency
    public convenience init(file: String = #fileID, line: UInt = #line, action: @escaping ActionCallback) {
        self.init(file: file, line: line, actionInRun: { promise, _ in try action(promise) })
    }

    /// Makes a promise of an action that gets the number of its run, too.
    convenience init(
        file: String = #fileID, line: UInt = #line,
        actionInRun action: @escaping @Sendable (Promise<T, E>, Int) throws -> Void
    ) {
        self.init(core: RunCore(abandonment: .abandoned(file: file, line: line), action: action))
    }

    /// Makes the first owner of a core.
    convenience init(core: RunCore<Promise<T, E>>) {
        self.init(core: core, number: 0)
        core.setOwner(self)
    }

    /// Makes an owner of a core.
    init(core: RunCore<Promise<T, E>>, number: Int) {
        self.core = core
        ownerNumber = number
    }

    deinit { core.ownerHasGone(number: ownerNumber) }

    /// Where the promise is in its life.
    public var status: Status {
        switch core.phase {
        case .created: .created
        case .running, .delivering: .started
        case .finished(_, delivered: .success): .success
        case .finished(_, delivered: .failure): .failure
        case .finished(_, delivered: .error): .error
        }
    }

    // MARK: Settling

    /// Ends the promise with a value, unless it has ended.
    public func succeed(with object: T) {
        core.settle(.success(object))
    }

    /// Ends the promise with a failure, unless it has ended.
    public func fail(with object: E) {
        core.settle(.failure(object))
    }

    /// Ends the promise with an error, unless it has ended.
    public func `catch`(_ error: any Error) {
        core.settle(.error(error))
    }

    /// Sends this promise, and ends the other one with its outcome.
    public func fulfill(_ promise: Promise<T, E>) {
        RunStep.perform(core.observing(for: promise, .send) { promise.core.settling($0, ofRun: $1) })
    }

    // MARK: Callbacks

    /// Called with the value, at most once a run.
    @preconcurrency
    public func success(_ handler: @escaping SuccessHandler) -> Promise<T, E> {
        core.attach { $0.success = handler }
        return self
    }

    /// Called with the failure, at most once a run.
    @preconcurrency
    public func failure(_ handler: @escaping FailureHandler) -> Promise<T, E> {
        core.attach { $0.failure = handler }
        return self
    }

    /// Called with the error of the chain, or of another callback, at most once a run.
    @preconcurrency
    public func error(_ handler: @escaping ErrorHandler) -> Promise<T, E> {
        core.attach { $0.error = handler }
        return self
    }

    /// Called at the end, exactly once a run, after the other callbacks.
    @preconcurrency
    public func completion(_ handler: @escaping CompletionHandler) -> Promise<T, E> {
        core.attach { $0.completion = handler }
        return self
    }

    // MARK: Sending

    /// Runs the action, on this thread, unless the promise runs already.
    @discardableResult
    public func start() -> Promise<T, E> {
        core.send(as: self)
        return self
    }

    /// Runs the action: the same as ``start()``.
    @discardableResult
    public func send() -> Promise<T, E> { start() }
}

extension Promise: RunOwner {
    typealias Value = T
    typealias Failure = E
}
