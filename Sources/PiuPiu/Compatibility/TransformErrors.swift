// The errors of the transforms of PiuPiu 1.4. Version 1.11 had replaced all but that of `TimeZoneTransform`, which is
// still thrown. Nothing makes these any more: they only let an old `catch` compile.

extension DateTransform {
    /// The former error for a text that is no date in the format.
    @available(*, deprecated, message: "Nothing throws it any more: catch DecodingError.dataCorrupted.")
    public enum TransformError: Error {
        /// The text isn't a date in the format of the formatter.
        case invalidDateFormat(expectedFormat: String, received: String)
    }
}

extension IntFromStringTransform {
    /// The former error for a text that is no integer.
    @available(*, deprecated, message: "Nothing throws it any more: catch DecodingError.dataCorrupted.")
    public enum TransformError: Error {
        /// The text isn't an integer.
        case invalidIntegerString(received: String)
    }
}

extension URLTransform {
    /// The former error for a text that is no URL.
    @available(*, deprecated, message: "Nothing throws it any more: catch DecodingError.dataCorrupted.")
    public enum TransformError: Error {
        /// The text isn't a URL.
        case invalidURL
    }
}
