public import Foundation

/// What the errors of this module have in common: a key, and texts for people.
///
/// The texts have the keys `ErrorReason.…` and `RecoverySuggestion.…` in ``Foundation/Bundle/networkKit``. An app may
/// translate them in its own `Localizable.strings`; otherwise they are English.
public protocol BaseNetworkError: LocalizedError, CustomNSError {
    /// A key that names the case.
    var errorKey: String { get }
}

extension BaseNetworkError {
    /// What happened.
    public var failureReason: String? {
        ErrorTexts.text(forKey: "ErrorReason.\(errorKey)", english: ErrorTexts.reasons[errorKey])
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        ErrorTexts.text(forKey: "RecoverySuggestion.\(errorKey)", english: ErrorTexts.suggestions[errorKey])
    }

    /// What happened, and what can be done about it.
    public var errorDescription: String? {
        let texts = [failureReason, recoverySuggestion].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// The texts for the error as an `NSError`.
    public var errorUserInfo: [String: Any] {
        let texts = [
            NSLocalizedDescriptionKey: errorDescription, NSLocalizedFailureReasonErrorKey: failureReason,
            NSLocalizedRecoverySuggestionErrorKey: recoverySuggestion,
        ]
        return texts.compactMapValues(\.self)
    }
}
