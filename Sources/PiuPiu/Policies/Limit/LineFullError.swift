public import Foundation

/// A request was not sent, as others are being sent and as many wait for their turn as may: see
/// ``URLRequestDispatcher/limited(to:perHost:maximumWaiting:)``.
///
/// No server has had it. A ``RetryPolicy`` sends it again, whatever its method; to be told at once, answer `false` in
/// ``RetryPolicy/decision``.
public struct LineFullError: LocalizableError {
    /// How many may wait.
    public let maximumWaiting: Int

    /// The URL that was asked for, without a user name or password.
    public let url: URL?

    /// The attempts before the one that was refused like this, in order, if a ``RetryPolicy`` has made some.
    public package(set) var earlierAttempts: [ExchangeAttempt] = []

    package var isAfterRedirect = false

    /// Makes an error, for an engine or a mock that fails on purpose.
    public init(maximumWaiting: Int, url: URL? = nil) {
        self.maximumWaiting = maximumWaiting
        self.url = url?.withoutUserInfo
    }

    /// The key of the description, "LineFullError": see ``LocalizableError``.
    public var errorKey: String { "LineFullError" }

    /// What was not sent, and why.
    public var errorDescription: String? {
        localizedText(
            """
            The request to \(url.textForErrors, as: "url") was not sent: \(maximumWaiting, as: "limit") others wait for their \
            turn already.
            """)
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        localizedAdvice("Send fewer requests at once, send it again later, or raise maximumWaiting of the limit.")
    }
}

extension LineFullError: RefusalError {
    /// Nobody knows.
    package var retryAfter: Duration { .zero }
}
