import Foundation

// The compiler's own description of a value shows everything in it, also the URL with its user, password and query.

extension LocalizableError {
    /// The key and the text, for logs: without user, password and query of a URL, like the text.
    public var description: String { "\(errorKey): \(localizedDescription)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the contents may include secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The protocols behind every text that the standard library makes of a value.
private typealias RedactedTexts = CustomStringConvertible & CustomDebugStringConvertible & CustomReflectable

extension AllFuturesFailedError: RedactedTexts {}
extension CircuitOpenError: RedactedTexts {}
extension DeadlineExceeded: RedactedTexts {}
extension EventSourceError: RedactedTexts {}
extension FileAnswerError: RedactedTexts {}
extension FileTransferError: RedactedTexts {}
extension InvalidRequestError: RedactedTexts {}
extension LineFullError: RedactedTexts {}
extension MockResponseError: RedactedTexts {}
extension MultipartFormError: RedactedTexts {}
extension RequestBodyError: RedactedTexts {}
extension ResponseDecodingError: RedactedTexts {}
extension ResponseFailure: RedactedTexts {}
extension StructuredFieldError: RedactedTexts {}
extension TransferError: RedactedTexts {}
extension TransferSecurityError: RedactedTexts {}
extension UnacceptableStatusError: RedactedTexts {}
