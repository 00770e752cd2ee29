public import Foundation

/// An error with a key by which an app can replace its texts: the errors of the package.
///
/// ```swift
/// catch let error as any LocalizableError {
///     log.error("\(error.errorKey): \(error.localizedDescription)")
/// }
/// ```
///
/// ``ErrorLocalization`` supplies the texts.
public protocol LocalizableError: LocalizedError, Sendable {
    /// A stable key that names what went wrong: for a table of texts, a log or statistics.
    ///
    /// It is the type and the case, as "TransferError.timedOut"; for ``ResponseError`` and ``RequestError`` it is the
    /// key that they had in PiuPiu 1.x, as "NoResponse".
    var errorKey: String { get }
}

extension LocalizableError {
    /// The text for ``errorKey``, for `errorDescription`.
    package func localizedText(_ english: ErrorText) -> String { english.localized(errorKey) }

    /// The text for ``errorKey`` with `.reason`, for `failureReason`.
    package func localizedReason(_ english: ErrorText) -> String { english.localized(errorKey + ".reason") }

    /// The text for ``errorKey`` with `.advice`, for `recoverySuggestion`.
    package func localizedAdvice(_ english: ErrorText) -> String { english.localized(errorKey + ".advice") }
}
