/// The class of a status code (RFC 9110, section 15).
public enum StatusCodeType: Sendable, Hashable, CaseIterable {
    /// 100 to 199: the request goes on.
    case informational
    /// 200 to 299: the request was understood and accepted.
    case success
    /// 300 to 399: the request needs further steps.
    case redirect
    /// 400 to 499: the request is at fault.
    case clientError
    /// 500 to 599: the server is at fault.
    case serverError
    /// Any other number, which HTTP doesn't allow.
    case invalid

    /// Whether the class is neither an error nor invalid: ``informational``, ``success`` or ``redirect``.
    ///
    /// Redirects count as successful by the rule of PiuPiu 1.x; compare with ``success`` for 2xx alone.
    public var isSuccessful: Bool {
        switch self {
        case .informational, .success, .redirect: true
        case .clientError, .serverError, .invalid: false
        }
    }
}
