import PiuPiu

/// Promises made from promises.
///
/// A mapper runs once, on the thread that resolves this promise, or at once if it has ended. After an error it doesn't
/// run: the error ends the next promise unchanged.
extension Promise {
    /// A promise of the value that the mapper returns, or of the error that it throws.
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

    /// A promise of the result that the mapper returns.
    @preconcurrency
    public func then<U>(mapper: @escaping @Sendable (Value) -> Result<U>) -> Promise<U> {
        let next = Promise<U>()
        attach { result in next.settle(result.flatMap(mapper: mapper)) }
        return next
    }

    /// A promise of the value or error in the standard library's result that the mapper returns.
    ///
    /// Without this overload it would be a promise of that result itself, which never fails.
    @preconcurrency
    public func then<U, Failure: Error>(
        mapper: @escaping @Sendable (Value) -> Swift.Result<U, Failure>
    ) -> Promise<U> {
        then { value -> Result<U> in Result(mapper(value)) }
    }

    /// A promise with the outcome of the promise that the mapper returns.
    ///
    /// ```swift
    /// URLRequest.requestFor(path: path).then { request in session.fetchData(from: request) }
    /// ```
    ///
    /// It fails with `FutureError.waitsForItself` if the mapper returns this new promise itself.
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
                return inner.attaching { next.settle($0) }.next
            }
        }
        return next
    }
}
