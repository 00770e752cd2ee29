public import Foundation

/// A request was not sent, because its server has failed too often recently: see ``CircuitBreaker``.
///
/// No server has received it. A ``RetryPolicy`` sends it again, whatever its method, but after a redirect only if it is
/// idempotent, and no earlier than after ``retryAfter``. To get the error at once, return `false` from
/// ``RetryPolicy/decision``.
public struct CircuitOpenError: LocalizableError, Equatable {
    /// The minimum time until requests to the origin are sent again, from the refusal of this one; zero while a probe
    /// is in flight.
    public let retryAfter: Duration

    /// The URL of the request, without a user name or password.
    public let url: URL?

    /// The attempts of a ``RetryPolicy`` before the refused one, in order.
    public package(set) var earlierAttempts: [ExchangeAttempt] = []

    package var isAfterRedirect = false

    /// Makes an error, for an engine or a mock that fails on purpose.
    public init(retryAfter: Duration, url: URL? = nil) {
        self.retryAfter = retryAfter
        self.url = url?.withoutUserInfo
    }

    /// The origin of the failing server: scheme, host and port, as "https://example.com:443".
    public var origin: String? { url?.origin }

    /// The key of the description, "CircuitOpenError": see ``LocalizableError``.
    public var errorKey: String { "CircuitOpenError" }

    /// What was not sent, and until when.
    public var errorDescription: String? {
        localizedText(
            """
            The request to \(url.textForErrors, as: "url") was not sent, as too many before it have failed; the next \
            one is sent in \(retryAfter, as: "duration").
            """)
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        localizedAdvice("Send it again later, and check that the server is in order.")
    }
}

extension CircuitOpenError {
    /// Whether both say the same about the request, without their ``earlierAttempts``, which contain any errors.
    public static func == (left: CircuitOpenError, right: CircuitOpenError) -> Bool {
        left.retryAfter == right.retryAfter && left.url == right.url
    }
}

extension CircuitOpenError: RefusalError {}

extension CircuitOpenError: RequestNamingError {}
