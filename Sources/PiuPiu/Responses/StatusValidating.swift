/// What an HTTP status can be checked of: a response, and an optional or a result of one, as joins have them.
///
/// ```swift
/// let response = try await dispatcher.dataFuture(from: request).value.validated()
/// ```
///
/// A future is validated by the same name: see `validated(_:)` of ``ResponseFuture``. A status is data (contract rule STATUS):
/// nothing is validated unless it is asked for.
///
/// Legacy: `validate(statusCode:)` of Alamofire, `validate()` of PromiseKit.
public protocol StatusValidating: Sendable {
    /// The same, if its status is one of these, or if it has none, as a response that didn't come over HTTP.
    ///
    /// - Parameter statuses: the numbers of the statuses: a range, an array, a set.
    /// - Throws: ``UnacceptableStatusError`` for any other status.
    func validated(_ statuses: some Collection<Int>) throws(UnacceptableStatusError) -> Self
}

extension StatusValidating {
    /// The same, if its status is from 200 to 299, or if it has none.
    ///
    /// - Throws: ``UnacceptableStatusError`` for any other status.
    public func validated() throws(UnacceptableStatusError) -> Self { try validated(200..<300) }

    /// The same, if its status is one of these, or if it has none.
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
    /// - Throws: ``UnacceptableStatusError`` for any other status, with the beginning of the body where that is at hand.
    public func validated(_ statuses: some Collection<Int>) throws(UnacceptableStatusError) -> Self {
        if let error = UnacceptableStatusError(self, unlessIn: statuses) { throw error }
        return self
    }
}

extension Optional: StatusValidating where Wrapped: StatusValidating {
    /// The same, if there is nothing, or something with one of these statuses.
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
    /// The result, as a failure if its status is none of these: a result keeps its error, so nothing is thrown.
    public func validated(_ statuses: some Collection<Int>) -> Result<Success, any Error> {
        flatMap { success in Result { try success.validated(statuses) } }
    }
}
