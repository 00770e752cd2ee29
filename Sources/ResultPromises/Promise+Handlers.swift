import Foundation
import PiuPiu

/// Handlers: they are called with the end of the promise, where they were attached.
///
/// They accumulate, and run in the order in which they were attached; ``Promise`` says where and when.
extension Promise {
    /// Calls the handler with the value, if there is one in the end.
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

    /// Calls the handler with the error, if there is one in the end.
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

    /// Calls the handler with the error, if there is one in the end and it is of this type; otherwise like
    /// ``onError(handler:)``.
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

    /// Attaches a handler for what `selection` takes from the end, where it belongs.
    private func attach<Input: Sendable>(
        _ handler: @escaping @Sendable @isolated(any) (Input) -> Void,
        selection: @escaping @Sendable (Result<Value>) -> Input?
    ) -> Promise<Value> {
        let isolation = handler.isolation
        if isolation != nil, isolation !== MainActor.shared {
            // No thread is an actor's: there is nothing to be synchronous with.
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
        // Sound: a synchronous function is called in the same way whether or not it tells its isolation, and this one
        // is called on the main queue if it belongs to the main actor, and else belongs to no actor.
        let handler = unsafeBitCast(handler, to: (@Sendable (Input) -> Void).self)
        attach(on: isolation == nil ? HandlerQueue.ofAttachedHandlers : .main) { result in
            guard let input = selection(result) else { return nil }
            if isolation == nil || HandlerQueue.isCurrent(.main) {
                handler(input)
            } else {
                // Attached late, and not on the main queue.
                OperationQueue.main.addOperation { handler(input) }
            }
            return nil
        }
        return self
    }
}
