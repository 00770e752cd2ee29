public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response with a status that `validated()` doesn't accept.
///
/// ```swift
/// do {
///     posts = try await dispatcher.dataFuture(from: request).validated().decoded([Post].self).value.data
/// } catch let error as UnacceptableStatusError where error.statusCode == .notFound {
///     posts = []
/// } catch let error as UnacceptableStatusError {
///     log(error.localizedDescription)  // The server answered GET … with 409 Conflict: {"error":…
///     retry(after: error.retryAfter ?? .seconds(60))
/// }
/// ```
///
/// The description is one line, for a log: method, URL, status and the beginning of the body. It leaves out the user
/// name, the password and the query of the URL, and everything in the body that looks like a secret. The properties
/// have all of it. ``decode(_:using:)`` gives you the server's own error.
public struct UnacceptableStatusError: LocalizableError {
    /// The method of the request, such as "GET".
    public let method: String?

    /// The URL of the request; after redirects, that of the last request.
    public let url: URL?

    /// The status of the response.
    public let statusCode: StatusCode

    /// The headers of the response.
    public var headers: ResponseHeaders { ResponseHeaders(head) }

    /// The body; empty when there is none, `nil` when it isn't known.
    ///
    /// A longer one is cut: after 1 MiB for a data or an upload future, after 4,096 bytes for a download or a stream,
    /// and for an error among the earlier attempts of another outcome. All of it is here if it has as many bytes as
    /// ``bodyLength`` says.
    ///
    /// It isn't known if the body was decoded before, or is a stream: only a ``ValidationPolicy`` reads a stream for
    /// the error.
    public var body: Data? { excerpt?.data }

    /// ``body`` as text; `nil` when it is no text in UTF-8, or isn't known.
    public var bodyText: String? { excerpt?.text }

    /// The length of the whole body; `nil` when it isn't known.
    public var bodyLength: Int64? { excerpt?.wholeLength }

    /// The attempts before the one with this answer, in order, if a ``RetryPolicy`` has made some.
    public package(set) var earlierAttempts: [ExchangeAttempt]

    /// The head of the response.
    package let head: TransferHead

    /// What is known of the body.
    package private(set) var excerpt: BodyExcerpt?

    /// The error of a response whose status is none of these; `nil` for any other response, and for one without HTTP.
    public init?(_ response: some ResponseInterface, unlessIn statuses: some Collection<Int> = 200..<300) {
        let head = response.head
        guard let status = head.status, !statuses.contains(status) else { return nil }
        method = response.urlRequest.httpMethod
        url = response.urlRequest.url ?? head.url
        statusCode = StatusCode(rawValue: status)
        self.head = head
        earlierAttempts = head.earlierAttempts
        excerpt = BodyExcerpt(of: response)
    }

    /// The same error for a history of attempts, which is kept for long: with the first 4,096 bytes of the body.
    func shortened() -> UnacceptableStatusError {
        var error = self
        error.excerpt = excerpt?.shortened
        return error
    }

    /// Decodes the body from JSON: the server's own error.
    ///
    /// ```swift
    /// struct Problem: Decodable {
    ///     let code: String
    /// }
    ///
    /// do {
    ///     posts = try await dispatcher.dataFuture(from: request).validated().decoded([Post].self).value.data
    /// } catch let error as UnacceptableStatusError {
    ///     show(try error.decode(Problem.self).code)
    /// }
    /// ```
    ///
    /// It works on the calling thread.
    ///
    /// - Throws: ``ResponseDecodingError``, which holds the decoder's error, when the body can't be decoded, also when
    ///   there is none. Of a body that is known only in part nothing is decoded, even if that part could be.
    public func decode<D: Decodable>(
        _ type: D.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws(ResponseDecodingError) -> D {
        do {
            guard let excerpt, excerpt.isWhole else { throw DecodingError.incompleteBody }
            return try decoder.decode(type, from: excerpt.data)
        } catch {
            throw ResponseDecodingError(decoding: readableName(of: type), from: self, underlyingError: error)
        }
    }

    /// Decodes the body from JSON, with dates in the given format.
    ///
    /// - Throws: what ``decode(_:using:)`` throws.
    public func decode<D: Decodable>(
        _ type: D.Type, dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws(ResponseDecodingError) -> D {
        try decode(type, using: JSONDecoder(dateDecodingStrategy: dateDecodingStrategy))
    }

    /// The error that the status stands for; `nil` for a status from 100 to 399.
    public var httpError: HTTPError? { statusCode.httpError }

    /// Whether no server has answered, as the request asks for a stored response, and there is none.
    private var isMissInCache: Bool { head.cacheStatus == .onlyIfCachedMiss }

    /// The key of the description, "UnacceptableStatusError", or "UnacceptableStatusError.notStored": see
    /// ``LocalizableError``.
    public var errorKey: String { isMissInCache ? "UnacceptableStatusError.notStored" : "UnacceptableStatusError" }

    /// The request and the server's answer, on one line.
    public var errorDescription: String? {
        let request = ExchangeName(method: method, url: url)
        if isMissInCache {
            return localizedText(
                "Nothing that is stored may answer \(request, as: "request"), which asks for a stored response only.")
        }
        let answer = ["\(statusCode.rawValue) \(statusCode.localizedDescription)", excerpt?.shown]
            .compactMap(\.self).joined(separator: ": ")
        return localizedText(
            "The server answered \(request, as: "request") with \(answer, as: "answer")")
    }

    /// The meaning of the status, from ``httpError``.
    public var failureReason: String? { isMissInCache ? nil : httpError?.failureReason }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        if isMissInCache { return localizedAdvice("Load it without only-if-cached, if the server may be asked.") }
        return httpError?.recoverySuggestion
            ?? localizedAdvice("Validate with the statuses that are to be accepted, as in validated(200..<400).")
    }

    /// The same as the localized description, so that a log gets no secret.
    public var description: String { localizedDescription }

    /// The same.
    public var debugDescription: String { description }
}

extension DecodingError {
    fileprivate static var incompleteBody: DecodingError {
        .dataCorrupted(Context(codingPath: [], debugDescription: "Only a part of the body is known."))
    }
}

extension UnacceptableStatusError: RequestNamingError {}
