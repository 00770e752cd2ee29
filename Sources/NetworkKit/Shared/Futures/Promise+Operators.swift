/// Promises and futures made from this promise. Each sends this one when it is sent, and ends as this one does, but for
/// the outcome that the callback is for. The callback runs on the main actor; what it throws is the error.
extension Promise {
    /// A promise of what the callback makes of the value.
    @preconcurrency
    public func then<U: Sendable>(_ callback: @escaping @MainActor (T) throws -> U) -> Promise<U, E> {
        Promise<U, E>(action: { [core] child in
            Self.observe(core, onCancelOf: child.core) { outcome in
                switch outcome {
                case .success(let value):
                    MainContext.run {
                        do { child.succeed(with: try callback(value)) } catch { child.catch(error) }
                    }
                case .failure(let failure): child.fail(with: failure)
                case .error(let error): child.catch(error)
                }
            }
        })
    }

    /// A promise with the failure that the callback makes of this one's.
    @preconcurrency
    public func thenFailure<U: Sendable>(_ callback: @escaping @MainActor (E) throws -> U) -> Promise<T, U> {
        Promise<T, U>(action: { [core] child in
            Self.observe(core, onCancelOf: child.core) { outcome in
                switch outcome {
                case .success(let value): child.succeed(with: value)
                case .failure(let failure):
                    MainContext.run {
                        do { child.fail(with: try callback(failure)) } catch { child.catch(error) }
                    }
                case .error(let error): child.catch(error)
                }
            }
        })
    }

    /// A future of the value, with the value that the callback makes of a failure in its place.
    ///
    /// ```swift
    /// promise.future { response in throw response.error }
    /// ```
    ///
    /// Throw from the callback to fail the future: a returned value is a success.
    @preconcurrency
    public func future(_ callback: @escaping @MainActor (E) throws -> T) -> ResponseFuture<T> {
        ResponseFuture(action: { [core] child in
            Self.observe(core, onCancelOf: child.core) { outcome in
                switch outcome {
                case .success(let value): child.succeed(with: value)
                case .failure(let failure):
                    MainContext.run {
                        do { child.succeed(with: try callback(failure)) } catch { child.fail(with: error) }
                    }
                case .error(let error): child.fail(with: error)
                }
            }
        })
    }

    /// Sends a promise for another one, or for a future, whose cancellation is passed on.
    static func observe<Owner, Value, Failure>(
        _ core: Core, onCancelOf child: RunCore<Owner, Value, Failure>,
        _ observer: @escaping @Sendable (RunOutcome<T, E>) -> Void
    ) {
        child.onCancel { core.cancelIfUnwanted() }
        core.observe(takesOver: true, orNew: { Promise(core: core) }, observer)
    }
}
