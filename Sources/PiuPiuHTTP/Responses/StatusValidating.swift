/// A value with an HTTP status to check: a response, or an optional or a result of one, as in joins.
///
/// ```swift
/// let response = try await dispatcher.dataFuture(from: request).value.validated()
/// ```
///
/// ``ResponseFuture`` has a `validated(_:)`, too. A status is data (contract rule STATUS): nothing is validated unless
/// you ask for it.
///
/// Legacy: `validate(statusCode:)` of Alamofire, `validate()` of PromiseKit.
public protocol StatusValidating: Sendable {
    /// The same value, if its status is one of these, or if it has none, because it didn't come over HTTP.
    ///
    /// - Parameter statuses: the numbers of the statuses: a range, an array, a set.
    /// - Throws: ``UnacceptableStatusError`` for any other status.
    func validated(_ statuses: some Collection<Int>) throws(UnacceptableStatusError) -> Self
}

extension StatusValidating {
    /// The same value, if its status is from 200 to 299, or if it has none.
    ///
    /// - Throws: ``UnacceptableStatusError`` for any other status.
    public func validated() throws(UnacceptableStatusError) -> Self { try validated(200..<300) }

    /// The same value, if its status is one of these, or if it has none.
    ///
    /// ```swift
    /// try response.validated([.ok, .notModified])
    /// ```
    ///
    /// - Throws: ``UnacceptableStatusError`` for any other status.
    public func validated(_ statuses: some Collection<StatusCode>) throws(UnacceptableStatusError) -> Self {
        try validated(statuses.map(\.rawValue))
    }
}

extension ResponseInterface {
    /// The response, if its status is one of these, or if it didn't come over HTTP.
    ///
    /// - Parameter statuses: the numbers of the statuses: a range, an array, a set.
    /// - Throws: ``UnacceptableStatusError`` for any other status, with the body if that is at hand.
    public func validated(_ statuses: some Collection<Int>) throws(UnacceptableStatusError) -> Self {
        if let error = UnacceptableStatusError(self, unlessIn: statuses) { throw error }
        return self
    }
}

extension Optional: StatusValidating where Wrapped: StatusValidating {
    /// The same value, if it is `nil`, or has one of these statuses.
    ///
    /// - Throws: ``UnacceptableStatusError`` for any other status.
    public func validated(_ statuses: some Collection<Int>) throws(UnacceptableStatusError) -> Wrapped? {
        switch self {
        case .some(let wrapped): try wrapped.validated(statuses)
        case .none: nil
        }
    }
}

extension Result: StatusValidating where Success: StatusValidating, Failure == any Error {
    /// The result, or a failure if its status is none of these. It keeps the error, so nothing is thrown.
    public func validated(_ statuses: some Collection<Int>) -> Result<Success, any Error> {
        flatMap { success in Result { try success.validated(statuses) } }
    }
}
