import Foundation

/// No credential was available for a request. The refresh's own error isn't one of these: it is passed on unchanged.
public enum AuthenticationError: LocalizableError, Equatable {
    /// The refresh of the credential took longer than ``Authenticator/timeLimit``. `origin` is the origin of the
    /// credential, as "https://example.com:443".
    case refreshTimedOut(after: Duration, origin: String)

    /// The credential was rejected, and there have been as many refreshes in 30 seconds as
    /// ``Authenticator/maximumRefreshes`` allows.
    case tooManyRefreshes(maximum: Int, origin: String)

    /// The credential was removed, as by a sign-out, while the request waited for its refresh or for its turn, before a
    /// redirect of it was followed, or before another attempt or copy of it by a ``RetryPolicy`` or a ``HedgePolicy``.
    case credentialRemoved(origin: String)

    /// The key of the case, as "AuthenticationError.refreshTimedOut": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .refreshTimedOut: "AuthenticationError.refreshTimedOut"
        case .tooManyRefreshes: "AuthenticationError.tooManyRefreshes"
        case .credentialRemoved: "AuthenticationError.credentialRemoved"
        }
    }

    /// What happened.
    public var errorDescription: String? { localizedText(text) }

    /// What can be done about it.
    public var recoverySuggestion: String? { localizedAdvice(advice) }

    private var text: ErrorText {
        switch self {
        case .refreshTimedOut(let duration, let origin):
            "No new credential for \(origin, as: "origin") came within \(duration, as: "duration")."
        case .tooManyRefreshes(let maximum, let origin):
            """
            The credential for \(origin, as: "origin") was not refreshed again, after \(maximum, as: "maximum") \
            refreshes in 30 seconds.
            """
        case .credentialRemoved(let origin):
            """
            The request was abandoned: the credential for \(origin, as: "origin") was removed while it waited to \
            be sent.
            """
        }
    }

    private var advice: ErrorText {
        switch self {
        case .refreshTimedOut: "Try again later, or allow more time with timeLimit."
        case .tooManyRefreshes:
            "Ask the user to sign in again, and check why the server rejects new credentials."
        case .credentialRemoved: "Send it again after the next sign-in."
        }
    }
}
