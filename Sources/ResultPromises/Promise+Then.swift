import PiuPiu

/// Promises made of promises.
///
/// A mapper runs once, on the thread that resolves this promise (at once if it has ended), and not at all after an error,
/// which ends the next promise as it is.
extension Promise {
    /// A promise of what the mapper makes of the value, or of the error that it throws.
    ///
    /// ```swift
    /// session.fetchData(from: url).then { data in try JSONDecoder().decode([User].self, from: data) }
    /// ```
    @preconcurrency
    public func then<U>(mapper: @escaping @Sendable (Value) throws -> U) -> Promise<U> {
        let next = Promise<U>()
        attach { result in next.settle(result.map(mapper: mapper)) }
        return next
    }

    /// A promise of the result that the mapper makes of the value.
    @preconcurrency
    public func then<U>(mapper: @escaping @Sendable (Value) -> Result<U>) -> Promise<U> {
        let next = Promise<U>()
        attach { result in next.settle(result.flatMap(mapper: mapper)) }
        return next
    }

    /// A promise of what the standard library's result holds that the mapper makes of the value.
    ///
    /// Without this form it would be a promise of that result itself, which never fails.
    @preconcurrency
    public func then<U, Failure: Error>(
        mapper: @escaping @Sendable (Value) -> Swift.Result<U, Failure>
    ) -> Promise<U> {
        then { value -> Result<U> in Result(mapper(value)) }
    }

    /// A promise that ends as the promise ends that the mapper makes of the value.
    ///
    /// ```swift
    /// URLRequest.requestFor(path: path).then { request in session.fetchData(from: request) }
    /// ```
    ///
    /// It fails with `FutureError.waitsForItself` if the mapper gives that very promise back.
    @preconcurrency
    public func then<U>(mapper: @escaping @Sendable (Value) -> Promise<U>) -> Promise<U> {
        let next = Promise<U>()
        attach { result in
            switch result {
            case .failure(let error):
                return next.settle(.failure(error: error))
            case .success(let value):
                let inner = mapper(value)
                if inner === next { return next.settle(.failure(error: FutureError.waitsForItself)) }
                inner.attach { next.settle($0) }
                return nil
            }
        }
        return next
    }
}
