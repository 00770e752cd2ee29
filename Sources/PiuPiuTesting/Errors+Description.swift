import PiuPiu

// The texts of a `LocalizableError` show no secrets. The compiler's own description of a value would show them.

/// The protocols behind every text that the standard library makes of a value.
private typealias RedactedTexts = CustomStringConvertible & CustomDebugStringConvertible & CustomReflectable

extension ExchangesMissingError: RedactedTexts {}
extension MockError: RedactedTexts {}
extension RecordingFileError: RedactedTexts {}
extension ReplayError: RedactedTexts {}

extension MockError: RequestNamingError {}
extension ReplayError: RequestNamingError {}
