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
/// the URL, so that it may go to a log; ``url`` has them all.
///
/// PiuPiu 1.x threw the decoder's own error, which is now ``underlyingError``.
public struct ResponseDecodingError: LocalizableError {
    /// The method of the request, such as "GET".
    public let method: String?

    /// The URL of the request, or of the response if the request has none.
    public let url: URL?

    /// The status of the response, or `nil` when it isn't an HTTP response.
    public let statusCode: StatusCode?

    /// The name of the requested type, such as "[Post]".
    public let typeName: String

    /// The keys that lead to the value at fault, including a missing key; empty if the whole body is at fault.
    public let codingKeys: [any CodingKey]

    /// The length of the body.
    public let byteCount: Int

    /// The error of the decoder, or of a model's own `init(from:)`; usually a `DecodingError`.
    public let underlyingError: any Error

    package init(
        decoding typeName: String, from response: some ResponseInterface, byteCount: Int, underlyingError: any Error
    ) {
        method = response.urlRequest.httpMethod
        url = response.urlRequest.url ?? response.urlResponse.url
        statusCode = response.status
        self.typeName = typeName
        codingKeys =
            (underlyingError as? DecodingError)?.failingKeys
            ?? (underlyingError as? TimeZoneTransform.TransformError)?.codingPath ?? []
        self.byteCount = byteCount
        self.underlyingError = underlyingError
    }

    /// The place of the value at fault, including a missing key: "posts[3].title"; empty if the whole body is at fault.
    public var codingPath: String { codingKeys.readablePath }

    /// The key of the description, "ResponseDecodingError": see ``LocalizableError``.
    public var errorKey: String { "ResponseDecodingError" }

    /// What could not be decoded, and why.
    public var errorDescription: String? {
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

    private var reason: String {
        (underlyingError as? DecodingError)?.readableReason ?? underlyingError.localizedDescription.withoutFullStop
    }

    private var advice: String {
        if let statusCode, !statusCode.type.isSuccessful {
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
