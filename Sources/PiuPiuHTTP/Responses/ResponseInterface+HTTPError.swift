extension ResponseInterface {
    /// The error that the status stands for, or `nil` for a status from 100 to 399 and for a response that didn't come
    /// over HTTP.
    ///
    /// ```swift
    /// .success { response in
    ///     if let error = response.httpError { throw error }
    /// }
    /// ```
    public var httpError: HTTPError? { status?.httpError }
}
