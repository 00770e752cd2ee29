extension Promise {
    /// Sends this promise, and ends the other one with its outcome: the name of 4.2.
    @available(*, deprecated, renamed: "fulfill(_:)")
    public func fullfill(_ promise: Promise<T, E>) {
        fulfill(promise)
    }

    /// A future that fails with the error that the callback returns, as in 5.0 to 5.2.
    ///
    /// Since 5.3 the closure of `future` returns a value. If the value is an error itself, the compiler takes that
    /// form.
    @available(*, deprecated, message: "throw the error from the closure: a returned value is a success since 5.3")
    @_disfavoredOverload
    @preconcurrency
    public func future(_ callback: @escaping @MainActor (E) throws -> any Error) -> ResponseFuture<T> {
        future { failure -> T in throw try callback(failure) }
    }
}
