/// The validation of the status of a response, or of the responses of a join. It runs in the background (contract rule
/// BACKGROUND), and passes on errors, cancellations and acceptable responses unchanged.
extension ResponseFuture where Success: StatusValidating {
    /// The response, if its status is one of these; from 200 to 299 by default.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request).validated().decoded(Post.self)
    /// dispatcher.dataFuture(from: request).validated(200..<400)
    /// dispatcher.downloadFuture(from: request, to: file).validated()
    /// ```
    ///
    /// Any other status fails it with an ``UnacceptableStatusError``, which has the method, URL, status, headers and
    /// the body. Validate before decoding, as the body is gone afterwards. A response without HTTP, such as from a
    /// `file:` URL, passes. The body of a stream isn't read for the error; its transfer is cancelled with the response.
    ///
    /// A download with an unacceptable status leaves an existing file alone (contract rule FILES). So only after
    /// validation the file is sure to be the new one, except for 204 and 205, which have no file.
    ///
    /// Legacy: `validate(statusCode:)` of Alamofire, `validate()` of PromiseKit.
    ///
    /// - Parameter statuses: the numbers of the acceptable statuses: a range, an array, a set.
    public func validated(_ statuses: some Collection<Int> & Sendable = 200..<300) -> ResponseFuture<Success> {
        then { try $0.validated(statuses) }
    }

    /// The response, if its status is one of these: see the method with numbers.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request).validated([.ok, .notModified])
    /// ```
    public func validated(_ statuses: some Collection<StatusCode> & Sendable) -> ResponseFuture<Success> {
        validated(statuses.map(\.rawValue))
    }
}

/// The validation of a join of many requests: the first unacceptable response, in order, is the error.
extension ResponseFuture where Success: Sequence, Success.Element: StatusValidating {
    /// The responses, if the status of each is one of these: see `validated(_:)` of one response.
    ///
    /// ```swift
    /// ResponseFuture<[Response<Data?>]>(childFutures: requests.map { dispatcher.dataFuture(from: $0) }).validated()
    /// ```
    public func validated(_ statuses: some Collection<Int> & Sendable = 200..<300) -> ResponseFuture<[Success.Element]>
    {
        then { try $0.map { try $0.validated(statuses) } }
    }

    /// The responses, if the status of each is one of these: see `validated(_:)` of one response.
    public func validated(_ statuses: some Collection<StatusCode> & Sendable) -> ResponseFuture<[Success.Element]> {
        validated(statuses.map(\.rawValue))
    }
}
