import Foundation
import PiuPiu

/// Handlers, which are called with the outcome of the promise.
///
/// They accumulate, and run in the order in which they were attached; ``Promise`` says where and when.
extension Promise {
    /// Calls the handler with the value if the promise succeeds.
    ///
    /// - Returns: this promise, to attach more.
    @preconcurrency
    @discardableResult
    public func onSuccess(
        @_inheritActorContext handler: @escaping @Sendable @isolated(any) (Value) -> Void
    ) -> Promise<Value> {
        attach(handler) { result in
            if case .success(let value) = result { value } else { nil }
        }
    }

    /// Calls the handler with the error if the promise fails.
    ///
    /// - Returns: this promise, to attach more.
    @preconcurrency
    @discardableResult
    public func onError(
        @_inheritActorContext handler: @escaping @Sendable @isolated(any) (any Error) -> Void
    ) -> Promise<Value> {
        attach(handler) { result in
            if case .failure(let error) = result { error } else { nil }
        }
    }

    /// Calls the handler with the error if the promise fails with this type; otherwise like ``onError(handler:)``.
    ///
    /// ```swift
    /// promise.onSpecificError(errorType: NetworkError.self) { error in self.show(error) }
    /// ```
    ///
    /// - Returns: this promise, to attach more.
    @preconcurrency
    @discardableResult
    public func onSpecificError<Failure: Error>(
        errorType: Failure.Type,
        @_inheritActorContext handler: @escaping @Sendable @isolated(any) (Failure) -> Void
    ) -> Promise<Value> {
        attach(handler) { result in
            if case .failure(let error) = result { error as? Failure } else { nil }
        }
    }

    /// Calls the handler with the value or the error.
    ///
    /// - Returns: this promise, to attach more.
    @preconcurrency
    @discardableResult
    public func onComplete(
        @_inheritActorContext handler: @escaping @Sendable @isolated(any) (Result<Value>) -> Void
    ) -> Promise<Value> {
        attach(handler) { result in result }
    }

    /// Attaches a handler to its queue or actor; it gets what `selection` takes from the outcome.
    private func attach<Input: Sendable>(
        _ handler: @escaping @Sendable @isolated(any) (Input) -> Void,
        selection: @escaping @Sendable (Result<Value>) -> Input?
    ) -> Promise<Value> {
        let isolation = handler.isolation
        if isolation != nil, isolation !== MainActor.shared {
            // An actor has no thread, so the handler can't run inside `resolve`.
            attach { [actorHandlers] result in
                guard let input = selection(result) else { return nil }
                actorHandlers.withLock { last in
                    last = Task { [last] in
                        await last?.value
                        await handler(input)
                    }
                }
                return nil
            }
            return self
        }
        // Sound: a synchronous function is called in the same way with or without `@isolated(any)`. A handler of the
        // main actor is called on the main queue; every other one here belongs to no actor.
        let handler = unsafeBitCast(handler, to: (@Sendable (Input) -> Void).self)
        attach(on: isolation == nil ? HandlerQueue.ofAttachedHandlers : .main, isBound: isolation != nil) { result in
            if let input = selection(result) { handler(input) }
            return nil
        }
        return self
    }
}
