import Foundation

extension EncodingError {
    /// A date that can't be written.
    ///
    /// The error has the seconds since 1970 for its value: Foundation ends the process when it describes a date that is
    /// not a number, and errors are printed.
    static func unwritableDate(_ date: Date, codingPath: [any CodingKey], reason: String) -> EncodingError {
        .invalidValue(date.timeIntervalSince1970, Context(codingPath: codingPath, debugDescription: reason))
    }
}

extension DecodingError {
    /// A number that is the time of no date.
    static func unreadableTime(_ json: Double, codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: "\(json) is not a Unix time."))
    }
}
