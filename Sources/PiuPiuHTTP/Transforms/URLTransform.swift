public import Foundation

/// Turns the text of a URL into the URL and back.
///
/// ```swift
/// page = try container.decode(using: URLTransform(), forKey: .page)
/// ```
///
/// Characters that a URL can't have, such as a space, are percent-encoded, and percent codes stay. A relative URL is
/// written with its base.
public struct URLTransform: Transform, ParameterlessTransform {
    /// Makes the transform.
    public init() {}

    /// The URL of the text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when it isn't one; the empty text, for example.
    public func from(json: String, codingPath: [any CodingKey]) throws -> URL {
        guard let url = URL(reference: json) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "\(json.quotedForErrors) is not a URL."))
        }
        return url
    }

    /// The text of the URL.
    public func toJSON(_ value: URL, codingPath: [any CodingKey]) throws -> String {
        value.absoluteString
    }
}
