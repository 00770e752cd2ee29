public import Foundation

/// A request was not sent, because all slots are taken and the queue is full: see
/// ``URLRequestDispatcher/limited(to:perHost:maximumWaiting:)``.
///
/// No server has received it. A ``RetryPolicy`` sends it again, whatever its method. To get the error at once, return
/// `false` from ``RetryPolicy/decision``. A request that follows a redirect, or loads a file anew because what was left
/// of it is stale, is never refused: it waits, however many others do.
public struct LineFullError: LocalizableError, Equatable {
    /// How many may wait.
    public let maximumWaiting: Int

    /// The URL of the request, without a user name or password.
    public let url: URL?

    /// The attempts of a ``RetryPolicy`` before the refused one, in order.
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
            The request to \(url.textForErrors, as: "url") was not sent: its queue is full, as \
            \(maximumWaiting, as: "limit") other requests are waiting.
            """)
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        localizedAdvice("Send fewer requests at once, send it again later, or raise maximumWaiting of the limit.")
    }
}

extension LineFullError {
    /// Whether both say the same about the request, without their ``earlierAttempts``, which contain any errors.
    public static func == (left: LineFullError, right: LineFullError) -> Bool {
        left.maximumWaiting == right.maximumWaiting && left.url == right.url
    }
}

extension LineFullError: RefusalError {
    /// Zero: the time is unknown.
    package var retryAfter: Duration { .zero }
}

extension LineFullError: RequestNamingError {}
