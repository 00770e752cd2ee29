/// What a loopback reply says about the version of its content, for a client that wants to resume a download.
public enum LoopbackValidator: Equatable, Sendable {
    /// Nothing.
    case none
    /// An `ETag`, given without its quotation marks. A weak one is no reason to send a part.
    case entityTag(String, isWeak: Bool = false)
    /// A `Last-Modified` of this text, and a `Date` so much later that a client may take it for a strong validator.
    case lastModified(String = "Sat, 01 Jan 2000 00:00:00 GMT")

    /// The header fields that tell it.
    var headers: [LoopbackHeader] {
        switch self {
        case .none: []
        case .entityTag(let tag, let isWeak): [LoopbackHeader("ETag", "\(isWeak ? "W/" : "")\"\(tag)\"")]
        case .lastModified(let date):
            [LoopbackHeader("Last-Modified", date), LoopbackHeader("Date", "Tue, 01 Jan 2030 00:00:00 GMT")]
        }
    }

    /// Whether an `If-Range` of this value stands for the same version, byte for byte (RFC 9110, 13.1.5).
    func isMet(byIfRange value: String) -> Bool {
        switch self {
        case .none: false
        case .entityTag(let tag, let isWeak): !isWeak && value == "\"\(tag)\""
        case .lastModified(let date): value == date
        }
    }
}
