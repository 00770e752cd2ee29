/// The check of the status of a response, and of the responses of a join. All of it runs in the background (contract rule
/// BACKGROUND), passes errors and cancellations on, and changes nothing about what is acceptable.
extension ResponseFuture where Success: StatusValidating {
    /// The response, if its status is one of these; from 200 to 299, unless others are named.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request).validated().decoded(Post.self)
    /// dispatcher.dataFuture(from: request).validated(200..<400)
    /// dispatcher.downloadFuture(from: request, to: file).validated()
    /// ```
    ///
    /// Fails with an ``UnacceptableStatusError`` for any other status: method, URL, status, headers and the beginning of the
    /// body. Validate before decoding, as long as there is a body. One without HTTP, as from a `file:` URL, passes. The
    /// body of a stream isn't read for the error; its transfer is given up with the response.
    ///
    /// A download that isn't acceptable has left the file as it was (contract rule FILES), so only a validated one is sure to be
    /// the new one; but for 204 and 205, which have none.
    ///
    /// Legacy: `validate(statusCode:)` of Alamofire, `validate()` of PromiseKit.
    ///
    /// - Parameter statuses: the numbers of the statuses that are acceptable: a range, an array, a set.
    public func validated(_ statuses: some Collection<Int> & Sendable = 200..<300) -> ResponseFuture<Success> {
        then { try $0.validated(statuses) }
    }

    /// The response, if its status is one of these: see the other form.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request).validated([.ok, .notModified])
    /// ```
    public func validated(_ statuses: some Collection<StatusCode> & Sendable) -> ResponseFuture<Success> {
        validated(statuses.map(\.rawValue))
    }
}

/// The check of the statuses of a join of many requests: the first response, in order, that isn't acceptable is the error.
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
