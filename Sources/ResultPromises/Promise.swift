import Foundation
import PiuPiu

/// An outcome that arrives later. Any owner of the promise may resolve it, once, and many may wait for it.
///
/// ```swift
/// let name = Promise<String>()
/// name.onSuccess { print("Hello,", $0) }
///     .onError { print($0) }
/// name.resolve(result: "World")       // prints "Hello, World" before it returns
/// ```
///
/// Handlers and mappers accumulate. They are called in the order in which they were attached, at most once:
/// - Handlers (``onSuccess(handler:)``, ``onError(handler:)``, ``onComplete(handler:)``) run on the `OperationQueue`
///   on which they were attached, or on the main queue if there was none. If `resolve` is called on the same queue,
///   they run inside it, otherwise later. Handlers of the main actor always run on the main queue. Handlers of another
///   actor run soon, on that actor.
/// - The mappers of `then` run inside `resolve`, on its thread.
///
/// A handler that is attached after the outcome was delivered runs at once, before the method returns, unless it
/// belongs to another actor, or earlier ones still wait for its queue: then it runs there after them. One that is
/// attached during the delivery, by a handler or another thread, comes last.
///
/// No lock is held while a handler or mapper runs, so it may use the promise. It is released after its call. A promise
/// is hot and can't be cancelled. If its last reference is released before it was resolved, no handler is called.
/// ``future(file:line:)`` leads to a cold, cancellable `ResponseFuture`, and ``value`` to `await`.
public final class Promise<Value: Sendable>: Sendable {
    private let state = Locked(PromiseState<Value>())

    /// The last of the handlers that run on actors. Each waits for the one before.
    let actorHandlers = Locked<Task<Void, Never>?>(nil)

    /// Makes a promise that has not ended.
    public init() {}

    deinit {
        // Callbacks hold the next promise of a chain, whose callbacks hold the one after that, and so on.
        var callbacks = state.withLock { $0.takeAll() }
        Trampoline.release(&callbacks)
    }

    /// Ends the promise and notifies everything that waits for it.
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

    /// Ends the promise, and leaves the delivery to the caller; `nil` if it has ended before.
    func settle(_ result: Result<Value>) -> (any ResolvedPromise)? {
        if state.withLock({ $0.resolve(result) }) { return self }
        // Without the values: this goes to a log, and they may be secrets.
        print("Warning: Promise already resolved; another \(result.kind) is ignored by \(Self.self)")
        return nil
    }

    /// Calls `run` with the outcome of the promise: when it arrives, or at once if it was delivered.
    ///
    /// - Parameters:
    ///   - queue: where it runs if it doesn't run at once; `nil` for the thread that resolves the promise.
    ///   - isBound: whether it runs on that queue even if it is attached elsewhere after the delivery.
    ///   - run: is called once; it may return a promise that it settled, to be delivered next.
    /// - Returns: a number for ``detach(_:)``; `nil` if it was called or waits for its queue.
    @discardableResult
    func attach(
        on queue: OperationQueue? = nil, isBound: Bool = false,
        _ run: @escaping @Sendable (Result<Value>) -> (any ResolvedPromise)?
    ) -> Int? {
        let (number, next) = attaching(on: queue, isBound: isBound, run)
        if let next { deliver(next) }
        return number
    }

    /// The same; it leaves the delivery of the promise that `run` settled to the caller, who delivers one already.
    func attaching(
        on queue: OperationQueue? = nil, isBound: Bool = false,
        _ run: @escaping @Sendable (Result<Value>) -> (any ResolvedPromise)?
    ) -> (number: Int?, next: (any ResolvedPromise)?) {
        let isElsewhere = isBound && queue.map(HandlerQueue.isCurrent) == false
        let (number, result, waits) = state.withLock { state -> (Int?, Result<Value>?, Bool) in
            guard state.isDelivered else { return (state.append(on: queue, run), nil, false) }
            guard let queue, isElsewhere || state.isWaited(for: queue) else { return (nil, state.result, false) }
            state.beginWait(for: queue)
            return (nil, state.result, true)
        }
        guard let result else { return (number, nil) }
        guard let queue, waits else { return (nil, run(result)) }
        enqueue(run, result, on: queue)
        return (nil, nil)
    }

    /// Calls a handler on its queue, on which it waits already.
    fileprivate func enqueue(
        _ run: @escaping @Sendable (Result<Value>) -> (any ResolvedPromise)?, _ result: Result<Value>,
        on queue: OperationQueue
    ) {
        queue.addOperation { [state] in
            state.withLock { $0.endWait(for: queue) }
            if let next = run(result) { deliver(next) }
        }
    }

    /// How many callbacks the promise retains, for tests.
    package var callbackCount: Int { state.withLock { $0.callbackCount } }

    /// Releases a callback, unless it was called.
    func detach(_ number: Int) {
        // The callback is released outside the lock, as a deinit of its captures may call back.
        state.release { $0.remove(number) }
    }
}

extension Promise: ResolvedPromise {
    func deliverNext() -> DeliveryStep {
        let (callback, result) = state.withLock { ($0.takeNext(), $0.result) }
        guard let callback, let result else { return .finished }
        guard let queue = callback.queue, !HandlerQueue.isCurrent(queue) else { return .called(callback.run(result)) }
        // Before the delivery is over, so that a later handler of that queue doesn't overtake this one.
        state.withLock { $0.beginWait(for: queue) }
        enqueue(callback.run, result, on: queue)
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
