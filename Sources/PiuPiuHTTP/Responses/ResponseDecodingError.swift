public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A body that can't be decoded as the requested type.
///
/// ```swift
/// do {
///     posts = try response.decode([Post].self)
/// } catch let error as ResponseDecodingError {
///     print(error.localizedDescription, error.codingPath)
/// }
/// ```
///
/// Its description reads, for example: "The response of GET https://example.com/posts (200) could not be decoded as
/// [Post]: no value for key 'title' at [3]. …" The description leaves out the user name, the password and the query of
/// the URL, so that it may go to a log; ``url`` has them all. It doesn't show the body either. ``bodyText`` and
/// ``headers`` say what came instead of the expected JSON, such as the page of a proxy with status 200:
///
/// ```swift
/// report(error.localizedDescription, error.headers["Content-Type"], error.bodyText?.prefix(200))
/// ```
///
/// PiuPiu 1.x threw the decoder's own error, which is now ``underlyingError``.
public struct ResponseDecodingError: LocalizableError {
    /// The method of the request, such as "GET".
    public let method: String?

    /// The URL of the request, or of the response if the request has none; `nil` for an event that was decoded alone.
    public let url: URL?

    /// The status of the response, or `nil` when it isn't an HTTP response.
    public let statusCode: StatusCode?

    /// The name of the requested type, such as "[Post]".
    public let typeName: String

    /// The keys that lead to the value at fault, including a missing key; empty if the whole body is at fault.
    public let codingKeys: [any CodingKey]

    /// The headers of the response. Their description redacts secrets. An event knows none.
    public var headers: ResponseHeaders { ResponseHeaders(head) }

    /// The body, with any secrets in it; of a longer one the first 1 MiB. Of a stream it is the line, or the data of the
    /// event, that can't be decoded.
    ///
    /// After ``UnacceptableStatusError/decode(_:using:)`` it is the ``UnacceptableStatusError/body`` of that error, which
    /// may be shorter, or `nil` when it isn't known.
    public var body: Data? { excerpt?.data }

    /// ``body`` as text; `nil` when it is no text in UTF-8, or isn't known.
    public var bodyText: String? { excerpt?.text }

    /// The length of the whole body; `nil` when it isn't known.
    public var bodyLength: Int64? { excerpt?.wholeLength }

    /// The length of the body; if ``bodyLength`` is `nil`, that of the part that was read.
    public var byteCount: Int { Int(clamping: excerpt?.length ?? 0) }

    /// The error of the decoder, or of a model's own `init(from:)`; usually a `DecodingError`.
    public let underlyingError: any Error

    /// The head of the response; `nil` for an event, which doesn't know it.
    private let head: TransferHead?

    /// What is known of the body.
    private let excerpt: BodyExcerpt?

    /// Whether the body of a failure was decoded on purpose.
    private let isOfStatusError: Bool

    /// The error of a response whose body, or a part of it, can't be decoded.
    package init(
        decoding typeName: String, from response: some ResponseInterface, body: Data, underlyingError: any Error
    ) {
        self.init(
            decoding: typeName, method: response.urlRequest.httpMethod,
            url: response.urlRequest.url ?? response.head.url, head: response.head, excerpt: BodyExcerpt(body),
            isOfStatusError: false, underlyingError: underlyingError)
    }

    /// The error of the body of an unacceptable response, which can't be decoded or isn't complete.
    init(decoding typeName: String, from error: UnacceptableStatusError, underlyingError: any Error) {
        self.init(
            decoding: typeName, method: error.method, url: error.url, head: error.head, excerpt: error.excerpt,
            isOfStatusError: true, underlyingError: underlyingError)
    }

    /// The error of an event whose data can't be decoded.
    init(decodingEvent typeName: String, data: Data, underlyingError: any Error) {
        self.init(
            decoding: typeName, method: nil, url: nil, head: nil, excerpt: BodyExcerpt(data), isOfStatusError: false,
            underlyingError: underlyingError)
    }

    private init(
        decoding typeName: String, method: String?, url: URL?, head: TransferHead?, excerpt: BodyExcerpt?,
        isOfStatusError: Bool, underlyingError: any Error
    ) {
        self.method = method
        self.url = url
        statusCode = head?.status.map { StatusCode(rawValue: $0) }
        self.typeName = typeName
        self.head = head
        self.excerpt = excerpt
        self.isOfStatusError = isOfStatusError
        codingKeys =
            (underlyingError as? DecodingError)?.failingKeys
            ?? (underlyingError as? TimeZoneTransform.TransformError)?.codingPath ?? []
        self.underlyingError = underlyingError
    }

    /// The place of the value at fault, including a missing key: "posts[3].title"; empty if the whole body is at fault.
    public var codingPath: String { codingKeys.readablePath }

    /// The key of the description, "ResponseDecodingError": see ``LocalizableError``.
    public var errorKey: String { "ResponseDecodingError" }

    /// What could not be decoded, and why.
    public var errorDescription: String? {
        guard head != nil else {
            let text: ErrorText = """
                The data of a server-sent event could not be decoded as \(typeName, as: "type"): \
                \(reason, as: "reason"). \(advice, as: "advice")
                """
            return text.localized("ResponseDecodingError.event")
        }
        let request = ExchangeName(method: method, url: url, statusCode: statusCode)
        return localizedText(
            """
            The response of \(request, as: "request") could not be decoded as \(typeName, as: "type"): \
            \(reason, as: "reason"). \(advice, as: "advice")
            """)
    }

    /// The decoder's reason, without the request.
    public var failureReason: String? { reason }

    /// What can be done about it.
    public var recoverySuggestion: String? { advice }

    /// Whether nothing was decoded, as a part of the body is missing.
    private var lacksBody: Bool { isOfStatusError && excerpt?.isWhole != true }

    private var reason: String {
        guard lacksBody else {
            return (underlyingError as? DecodingError)?.readableReason
                ?? underlyingError.localizedDescription.withoutFullStop
        }
        let length = body?.count ?? 0
        return ErrorText("only the first \(length, as: "length") bytes of its body are known")
            .localized("ResponseDecodingError.incompleteBody.reason")
    }

    private var advice: String {
        if lacksBody {
            let advice: ErrorText = """
                Use a data or an upload future without validation: its response has the whole body, beside the status.
                """
            return advice.localized("ResponseDecodingError.incompleteBody.advice")
        }
        if !isOfStatusError, let statusCode, !statusCode.type.isSuccessful {
            return ErrorText("The status says that the request failed: check httpError before decoding the body.")
                .localized("ResponseDecodingError.failedStatus.advice")
        }
        return switch underlyingError as? DecodingError {
        case .keyNotFound?:
            ErrorText("Correct the coding key, or make the property optional.")
                .localized("DecodingError.keyNotFound.advice")
        case .valueNotFound?:
            ErrorText("Make the property optional.").localized("DecodingError.valueNotFound.advice")
        case .typeMismatch?:
            ErrorText("Give the property the type that the body has there.")
                .localized("DecodingError.typeMismatch.advice")
        default:
            localizedAdvice("Compare the body, of \(byteCount, as: "length") bytes, with the type.")
        }
    }
}

extension ResponseDecodingError: RequestNamingError {}
