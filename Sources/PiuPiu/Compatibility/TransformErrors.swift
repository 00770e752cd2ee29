// What the transforms of PiuPiu 1.4 threw; 1.11 had replaced all of it but that of `TimeZoneTransform`, which is still
// thrown. Nothing makes these any more: they let a `catch` of old compile.

extension DateTransform {
    /// What was thrown for a text that is no date in the format.
    @available(*, deprecated, message: "Nothing throws it any more: catch DecodingError.dataCorrupted.")
    public enum TransformError: Error {
        /// The text isn't a date in the format of the formatter.
        case invalidDateFormat(expectedFormat: String, received: String)
    }
}

extension IntFromStringTransform {
    /// What was thrown for a text that is no integer.
    @available(*, deprecated, message: "Nothing throws it any more: catch DecodingError.dataCorrupted.")
    public enum TransformError: Error {
        /// The text isn't an integer.
        case invalidIntegerString(received: String)
    }
}

extension URLTransform {
    /// What was thrown for a text that is no URL.
    @available(*, deprecated, message: "Nothing throws it any more: catch DecodingError.dataCorrupted.")
    public enum TransformError: Error {
        /// The text isn't a URL.
        case invalidURL
    }
}
