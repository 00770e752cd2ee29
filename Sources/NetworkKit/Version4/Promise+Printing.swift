public import Foundation

extension Promise where T == SuccessResponse<Data?>, E == ErrorResponse<Data?> {
    /// Prints the response when it has arrived, of either kind, as the response's own `printResponse()` does; under the
    /// name of 4.3 to 5.2.
    ///
    /// - Returns: this promise, whose callbacks are called after that.
    @available(*, deprecated, message: "call printResponse() or debug() of the response, in a callback")
    @discardableResult
    public func printResponse() -> Promise<T, E> {
        inspect(success: { $0.printResponse() }, failure: { $0.printResponse() })
        return self
    }
}
