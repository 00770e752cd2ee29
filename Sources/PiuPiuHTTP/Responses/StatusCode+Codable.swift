extension StatusCode: Codable {
    /// Reads a status code from a single integer.
    ///
    /// - Throws: `DecodingError` when the value isn't an integer.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Int.self))
    }

    /// Writes the number as a single integer.
    ///
    /// - Throws: the error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
