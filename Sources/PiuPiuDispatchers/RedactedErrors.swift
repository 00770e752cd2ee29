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
extension RepeatedPageError: RedactedTexts {}
extension RequestBodyError: RedactedTexts {}
extension ResponseDecodingError: RedactedTexts {}
extension ResponseFailure: RedactedTexts {}
extension StructuredFieldError: RedactedTexts {}
extension TransferError: RedactedTexts {}
extension TransferSecurityError: RedactedTexts {}
extension UnacceptableStatusError: RedactedTexts {}
