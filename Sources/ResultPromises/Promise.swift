import Foundation
import PiuPiu

/// An end that arrives later, which anybody who holds the promise may bring about, once, and many may wait for.
///
/// ```swift
/// let name = Promise<String>()
/// name.onSuccess { print("Hello,", $0) }
///     .onError { print($0) }
/// name.resolve(result: "World")       // prints "Hello, World" before it returns
/// ```
///
/// Whatever is attached accumulates, and is called in the order in which it was attached, at most once:
/// - handlers (``onSuccess(handler:)``, ``onError(handler:)``, ``onComplete(handler:)``) run on the `OperationQueue`
///   that they were attached on, or on the main one if that was none: inside `resolve`, before it returns, if
///   that is called on the same queue, and later on their queue otherwise; those that were formed on the main actor run
///   on the main queue in any case, and those of another actor on that actor, soon;
/// - the mappers of `then` run inside `resolve`, on whatever thread that is.
///
/// What is attached to a promise that has ended and told everybody runs at once, where it is attached, before the method
/// returns, unless its actor is another. What is attached in the meantime, from a handler or another thread, joins the end
/// of the line.
///
/// Nothing is locked while a handler or mapper runs: it may use the promise like anybody else. Those that have been
/// called are released. A promise is hot and can't be cancelled; one that nobody holds any more, unresolved, is gone
/// without a word. ``future(file:line:)`` leads to a cold, cancellable `ResponseFuture`, and ``value`` to
/// `await`.
public final class Promise<Value: Sendable>: Sendable {
    private let state = Locked(PromiseState<Value>())

    /// The last of the handlers that run on actors, each of which waits for the one before.
    let actorHandlers = Locked<Task<Void, Never>?>(nil)

    /// Makes a promise that has not ended.
    public init() {}

    deinit {
        // Callbacks hold the next promise of a chain, whose callbacks hold the one after it.
        var callbacks = state.withLock { $0.takeAll() }
        Trampoline.release(&callbacks)
    }

    /// Ends the promise and tells everybody who waits for it.
    ///
    /// A promise ends once: a second call changes nothing, and prints a warning.
    public func resolve(state: Result<Value>) {
        if let promise = settle(state) { deliver(promise) }
    }

    /// Ends the promise with a value; otherwise like ``resolve(state:)``.
    public func resolve(result: Value) {
        resolve(state: .success(value: result))
    }

    /// Ends the promise with an error; otherwise like ``resolve(state:)``.
    public func resolve(error: any Error) {
        resolve(state: .failure(error: error))
    }

    /// Ends the promise, and leaves it to the caller to deliver the end; `nil` if it has ended before.
    func settle(_ result: Result<Value>) -> (any ResolvedPromise)? {
        if state.withLock({ $0.resolve(result) }) { return self }
        // Without the values, which may be secrets: this goes to a log.
        print("Warning: Promise already resolved; another \(result.kind) is ignored by \(Self.self)")
        return nil
    }

    /// Calls `run` with the end of the promise: when it comes, or here and now if it has been delivered.
    ///
    /// - Parameters:
    ///   - queue: where it has to run when it can't run at once; `nil` for the thread that resolves the promise.
    ///   - run: is called once; it may give back a promise that it settled, to be delivered next.
    /// - Returns: a number to ``detach(_:)`` it by; `nil` if it has been called.
    @discardableResult
    func attach(
        on queue: OperationQueue? = nil, _ run: @escaping @Sendable (Result<Value>) -> (any ResolvedPromise)?
    ) -> Int? {
        let (number, result) = state.withLock { state -> (Int?, Result<Value>?) in
            if state.isDelivered { return (nil, state.result) }
            return (state.append(on: queue, run), nil)
        }
        if let result, let next = run(result) { deliver(next) }
        return number
    }

    /// How many callbacks the promise holds, for tests of what it releases.
    package var callbackCount: Int { state.withLock { $0.callbackCount } }

    /// Releases what was attached, unless it has been called.
    func detach(_ number: Int) {
        // The callback goes when the lock is free: with it may go what was captured.
        state.release { $0.remove(number) }
    }
}

extension Promise: ResolvedPromise {
    func deliverNext() -> DeliveryStep {
        let (callback, result) = state.withLock { ($0.takeNext(), $0.result) }
        guard let callback, let result else { return .finished }
        guard let queue = callback.queue, !HandlerQueue.isCurrent(queue) else { return .called(callback.run(result)) }
        queue.addOperation {
            if let next = callback.run(result) { deliver(next) }
        }
        return .called(nil)
    }
}

extension Result {
    fileprivate var kind: String {
        switch self {
        case .success: "result"
        case .failure: "error"
        }
    }
}
