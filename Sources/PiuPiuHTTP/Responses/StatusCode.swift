/// The status code of an HTTP response.
///
/// ```swift
/// switch response.statusCode {
/// case .ok, .created: show(try response.decode(Post.self))
/// case .notFound: showNothingThere()
/// case .tooManyRequests: tryLater()
/// default: show(response.httpError)
/// }
/// ```
///
/// There is a case for every code of the IANA HTTP Status Code Registry, except temporary registrations and the numbers
/// listed as unused (306, 418). Any other number, including one that HTTP doesn't allow, is ``other(_:)``. Two values
/// are equal when their numbers are: `.other(404) == .notFound`. Match a number that has a case by that case, because a
/// pattern such as `case .other(404)` never matches a code that a server sent.
///
/// The names are those of PiuPiu 1.x, or of the registry if PiuPiu 1.x had none.
public enum StatusCode: Sendable {
    /// 100 Continue (RFC 9110).
    case `continue`
    /// 101 Switching Protocols (RFC 9110).
    case switchingProtocols
    /// 102 Processing (RFC 2518).
    case processing
    /// 103 Early Hints (RFC 8297).
    case earlyHints
    /// 200 OK (RFC 9110).
    case ok
    /// 201 Created (RFC 9110).
    case created
    /// 202 Accepted (RFC 9110).
    case accepted
    /// 203 Non-Authoritative Information (RFC 9110).
    case nonAuthoritativeInformation
    /// 204 No Content (RFC 9110).
    case noContent
    /// 205 Reset Content (RFC 9110).
    case resetContent
    /// 206 Partial Content (RFC 9110).
    case partialContent
    /// 207 Multi-Status (RFC 4918).
    case multiStatus
    /// 208 Already Reported (RFC 5842).
    case alreadyReported
    /// 226 IM Used (RFC 3229).
    case imUsed
    /// 300 Multiple Choices (RFC 9110).
    case multipleChoices
    /// 301 Moved Permanently (RFC 9110).
    case movedPermanently
    /// 302 Found (RFC 9110).
    case found
    /// 303 See Other (RFC 9110).
    case seeOther
    /// 304 Not Modified (RFC 9110).
    case notModified
    /// 305 Use Proxy (RFC 9110, deprecated there).
    case useProxy
    /// 307 Temporary Redirect (RFC 9110).
    case temporaryRedirect
    /// 308 Permanent Redirect (RFC 9110).
    case permanentRedirect
    /// 400 Bad Request (RFC 9110).
    case badRequest
    /// 401 Unauthorized (RFC 9110).
    case unauthorized
    /// 402 Payment Required (RFC 9110).
    case paymentRequired
    /// 403 Forbidden (RFC 9110).
    case forbidden
    /// 404 Not Found (RFC 9110).
    case notFound
    /// 405 Method Not Allowed (RFC 9110).
    case methodNotAllowed
    /// 406 Not Acceptable (RFC 9110).
    case notAcceptable
    /// 407 Proxy Authentication Required (RFC 9110).
    case proxyAuthenticationRequired
    /// 408 Request Timeout (RFC 9110).
    case requestTimeout
    /// 409 Conflict (RFC 9110).
    case conflict
    /// 410 Gone (RFC 9110).
    case gone
    /// 411 Length Required (RFC 9110).
    case lengthRequired
    /// 412 Precondition Failed (RFC 9110).
    case preconditionFailed
    /// 413 Content Too Large (RFC 9110).
    case contentTooLarge
    /// 414 URI Too Long (RFC 9110).
    case uriTooLong
    /// 415 Unsupported Media Type (RFC 9110).
    case unsupportedMediaType
    /// 416 Range Not Satisfiable (RFC 9110).
    case rangeNotSatisfiable
    /// 417 Expectation Failed (RFC 9110).
    case expectationFailed
    /// 421 Misdirected Request (RFC 9110).
    case misdirectedRequest
    /// 422 Unprocessable Content (RFC 9110, "Unprocessable Entity" before).
    case unprocessableEntity
    /// 423 Locked (RFC 4918).
    case locked
    /// 424 Failed Dependency (RFC 4918).
    case failedDependency
    /// 425 Too Early (RFC 8470).
    case tooEarly
    /// 426 Upgrade Required (RFC 9110).
    case upgradeRequired
    /// 428 Precondition Required (RFC 6585).
    case preconditionRequired
    /// 429 Too Many Requests (RFC 6585).
    case tooManyRequests
    /// 431 Request Header Fields Too Large (RFC 6585).
    case requestHeaderFieldsTooLarge
    /// 451 Unavailable For Legal Reasons (RFC 7725).
    case unavailableForLegalReasons
    /// 500 Internal Server Error (RFC 9110).
    case internalServerError
    /// 501 Not Implemented (RFC 9110).
    case notImplemented
    /// 502 Bad Gateway (RFC 9110).
    case badGateway
    /// 503 Service Unavailable (RFC 9110).
    case serviceUnavailable
    /// 504 Gateway Timeout (RFC 9110).
    case gatewayTimeout
    /// 505 HTTP Version Not Supported (RFC 9110).
    case httpVersionNotSupported
    /// 506 Variant Also Negotiates (RFC 2295).
    case variantAlsoNegotiates
    /// 507 Insufficient Storage (RFC 4918).
    case insufficientStorage
    /// 508 Loop Detected (RFC 5842).
    case loopDetected
    /// 510 Not Extended (RFC 2774, obsolete).
    case notExtended
    /// 511 Network Authentication Required (RFC 6585).
    case networkAuthenticationRequired
    /// A number without its own case.
    case other(Int)
}
