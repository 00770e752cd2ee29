/// Promises and futures made from this promise.
///
/// Each sends this one when it is sent. The callback handles one kind of outcome; the other outcomes pass through. The
/// callback runs on the main actor, and an error that it throws is the outcome.
extension Promise {
    /// A promise of the value that the callback returns.
    @preconcurrency
    public func then<U: Sendable>(_ callback: @escaping @MainActor (T) throws -> U) -> Promise<U, E> {
        Promise<U, E>(
            core: core.next { outcome, child, run in
                switch outcome {
                case .success(let value):
                    [child.stepOnMain(inRun: run) { child.core.settling(.success(try callback(value)), ofRun: run) }]
                case .failure(let failure): child.core.settling(.failure(failure), ofRun: run)
                case .error(let error): child.core.settling(.error(error), ofRun: run)
                }
            })
    }

    /// A promise that passes this one's failure through the callback.
    @preconcurrency
    public func thenFailure<U: Sendable>(_ callback: @escaping @MainActor (E) throws -> U) -> Promise<T, U> {
        Promise<T, U>(
            core: core.next { outcome, child, run in
                switch outcome {
                case .success(let value): child.core.settling(.success(value), ofRun: run)
                case .failure(let failure):
                    [child.stepOnMain(inRun: run) { child.core.settling(.failure(try callback(failure)), ofRun: run) }]
                case .error(let error): child.core.settling(.error(error), ofRun: run)
                }
            })
    }

    /// A future of the value; after a failure, of the value that the callback returns for it.
    ///
    /// ```swift
    /// promise.future { response in throw response.error }
    /// ```
    ///
    /// Throw from the callback to fail the future: a returned value is a success.
    @preconcurrency
    public func future(_ callback: @escaping @MainActor (E) throws -> T) -> ResponseFuture<T> {
        ResponseFuture(
            core: core.next { outcome, child, run in
                switch outcome {
                case .success(let value): child.core.settling(.success(value), ofRun: run)
                case .failure(let failure):
                    [child.stepOnMain(inRun: run) { child.core.settling(.success(try callback(failure)), ofRun: run) }]
                case .error(let error): child.core.settling(.error(error), ofRun: run)
                }
            })
    }
}
