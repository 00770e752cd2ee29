import Foundation

// The compiler's own description of a value shows all that it has, the URL with its user, password and query too.

extension LocalizableError {
    /// The key and the text, for logs: without user, password and query of a URL, like the text.
    public var description: String { "\(errorKey): \(localizedDescription)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: what is inside may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AllFuturesFailedError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension ExchangesMissingError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension FileAnswerError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension FileTransferError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension InvalidRequestError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension MockError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension MockResponseError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension MultipartFormError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension RecordingFileError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension ReplayError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension RequestBodyError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension ResponseDecodingError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension ResponseFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension TransferError: CustomDebugStringConvertible, CustomReflectable {}
extension TransferSecurityError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}
extension UnacceptableStatusError: CustomDebugStringConvertible, CustomReflectable {}
