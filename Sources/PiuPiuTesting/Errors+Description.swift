import PiuPiu

// The texts of a `LocalizableError` show no secrets; the compiler's own description of a value would.

/// The protocols behind all texts that the standard library makes of a value.
private typealias RedactedTexts = CustomStringConvertible & CustomDebugStringConvertible & CustomReflectable

extension ExchangesMissingError: RedactedTexts {}
extension MockError: RedactedTexts {}
extension RecordingFileError: RedactedTexts {}
extension ReplayError: RedactedTexts {}

extension MockError: RequestNamingError {}
extension ReplayError: RequestNamingError {}
