public import Foundation

/// A request was not sent, as its server has failed too often of late: see ``CircuitBreaker``.
///
/// No server has had it. A ``RetryPolicy`` sends it again, whatever its method, no earlier than after ``retryAfter``; to be told
/// at once, answer `false` in ``RetryPolicy/decision``.
public struct CircuitOpenError: LocalizableError {
    /// How long requests to the origin are refused at the least, from when this one was; zero while the answer to a probe is
    /// awaited.
    public let retryAfter: Duration

    /// The URL that was asked for, without a user name or password.
    public let url: URL?

    /// The attempts before the one that was refused like this, in order, if a ``RetryPolicy`` has made some.
    public package(set) var earlierAttempts: [ExchangeAttempt] = []

    package var isAfterRedirect = false

    /// Makes an error, for an engine or a mock that fails on purpose.
    public init(retryAfter: Duration, url: URL? = nil) {
        self.retryAfter = retryAfter
        self.url = url?.withoutUserInfo
    }

    /// The origin whose server fails: scheme, host and port, as "https://example.com:443".
    public var origin: String? { url?.origin }

    /// The key of the description, "CircuitOpenError": see ``LocalizableError``.
    public var errorKey: String { "CircuitOpenError" }

    /// What was not sent, and until when.
    public var errorDescription: String? {
        localizedText(
            """
            The request to \(url.textForErrors, as: "url") was not sent, as too many before it have failed; the next one is sent in \
            \(retryAfter, as: "duration").
            """)
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        localizedAdvice("Send it again later, and check that the server is in order.")
    }
}

extension CircuitOpenError: RefusalError {}
