public import Foundation

extension Promise where T == SuccessResponse<Data?>, E == ErrorResponse<Data?> {
    /// Prints the response of either kind when it arrives, as its own `printResponse()` does: the name of 4.3 to 5.2.
    ///
    /// - Returns: this promise; its callbacks run after the printing.
    @available(*, deprecated, message: "call printResponse() or debug() of the response, in a callback")
    @discardableResult
    public func printResponse() -> Promise<T, E> {
        inspect(success: { $0.printResponse() }, failure: { $0.printResponse() })
        return self
    }
}
