import Foundation

extension EncodingError {
    /// A date that can't be written.
    ///
    /// The error's value is the seconds since 1970: errors are printed, and Foundation traps when it describes a date
    /// that is NaN.
    static func unwritableDate(_ date: Date, codingPath: [any CodingKey], reason: String) -> EncodingError {
        .invalidValue(date.timeIntervalSince1970, Context(codingPath: codingPath, debugDescription: reason))
    }
}

extension DecodingError {
    /// A number that is not the time of a date.
    static func unreadableTime(_ json: Double, codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: "\(json) is not a Unix time."))
    }
}
