public import Foundation

extension JSONEncoder.DateEncodingStrategy {
    /// Dates such as 2018-05-01T09:30:00Z: in UTC and whole seconds.
    ///
    /// ```swift
    /// encoder.dateEncodingStrategy = .rfc3339
    /// ```
    ///
    /// A date that isn't within the years 0 to 9999 throws `EncodingError.invalidValue`.
    public static var rfc3339: JSONEncoder.DateEncodingStrategy { .rfc3339(fractionalDigits: 0) }

    /// Dates such as 2018-05-01T09:30:00.125Z: in UTC and with as many decimals as given, 0 to 9.
    ///
    /// A date that isn't within the years 0 to 9999 throws `EncodingError.invalidValue`.
    public static func rfc3339(fractionalDigits: Int) -> JSONEncoder.DateEncodingStrategy {
        let transform = RFC3339DateTransform(fractionalDigits: fractionalDigits)
        return .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date, using: transform)
        }
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Dates such as 2018-05-01T09:30:00Z, with or without a fraction of the second and with any offset from UTC.
    ///
    /// ```swift
    /// let post = try response.decode(Post.self, dateDecodingStrategy: .rfc3339)
    /// ```
    ///
    /// ``RFC3339DateTransform`` describes the accepted forms; anything else throws `DecodingError.dataCorrupted`.
    public static var rfc3339: JSONDecoder.DateDecodingStrategy {
        .custom { decoder in try decoder.singleValueContainer().decode(using: RFC3339DateTransform()) }
    }
}
