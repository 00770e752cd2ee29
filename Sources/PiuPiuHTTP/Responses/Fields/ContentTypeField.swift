/// The media type of a body, from the `Content-Type` of a response (RFC 9110, section 8.3).
///
/// ```swift
/// guard response.contentType?.type == "application/json" else { return show(response) }
/// ```
///
/// See ``ResponseInterface/contentType``.
public struct ContentTypeField: Sendable, Hashable, CustomStringConvertible {
    /// Type and subtype, in lower case: "application/json".
    public let type: String

    /// The character encoding, in lower case, as it is compared without regard to case: "utf-8"; `nil` without one.
    public let charset: String?

    /// Makes a type.
    public init(type: String, charset: String? = nil) {
        self.type = type.lowercased()
        self.charset = charset?.lowercased()
    }

    init(_ mediaType: MediaType) {
        self.init(type: mediaType.essence, charset: mediaType.parameter("charset"))
    }

    /// The type as in a header: "text/html;charset=utf-8".
    public var description: String {
        type + (charset.map { ";charset=\($0.escapingControlCharacters)" } ?? "")
    }
}
