public import Foundation

/// A link of a response, from its `Link` fields (RFC 8288).
///
/// ```swift
/// // Link: <https://api.example.com/posts?page=2>; rel="next", <…>; rel="last"
/// if let next = response.link("next") { request.url = next }
/// for link in response.links where link.relations.contains("preload") { load(link.url) }
/// ```
///
/// See ``ResponseInterface/links``.
public struct LinkField: Sendable, Hashable {
    /// The target, resolved against the URL of the response.
    public let url: URL

    /// The relations of `rel`, in lower case, as they are compared without regard to case; empty without any.
    public let relations: [String]

    /// The values of the parameters by their names, which are in lower case: "rel", "title", "type", "anchor"…
    ///
    /// The first one of a name counts. One without a value has an empty one. A valid `title*` (RFC 8187, UTF-8) is
    /// decoded, and replaces the `title`; so do others of that form.
    public let parameters: [String: String]

    /// Makes a link.
    public init(url: URL, relations: [String], parameters: [String: String] = [:]) {
        self.url = url
        self.relations = relations.map { $0.lowercased() }
        self.parameters = parameters
    }

    /// The links of all lines of the field; a malformed member is left out, and so is a malformed parameter.
    ///
    /// - Parameter base: the URL of the response.
    package static func links(of fieldLines: [String], relativeTo base: URL?) -> [LinkField] {
        fieldLines.flatMap { line in
            FieldList.parts(of: Array(line.utf8)[...], separatedBy: UInt8(ascii: ","), hasReferences: true)
                .compactMap { LinkField($0, relativeTo: base) }
        }
    }

    private init?(_ member: ArraySlice<UInt8>, relativeTo base: URL?) {
        guard member.first == UInt8(ascii: "<"), let end = member.firstIndex(of: UInt8(ascii: ">")),
            let url = Self.target(member[member.startIndex..<end].dropFirst().withoutFieldSpace, relativeTo: base)
        else { return nil }
        // What is between the target and the first semicolon is no parameter.
        let rest = member[end...].drop { $0 != UInt8(ascii: ";") }
        let parameters = Self.parameters(FieldList.parts(of: rest, separatedBy: UInt8(ascii: ";")))
        let relations = (parameters["rel"] ?? "").split { $0 == " " || $0 == "\t" }.map(String.init)
        self.init(url: url, relations: relations, parameters: parameters)
    }

    private static func target(_ bytes: ArraySlice<UInt8>, relativeTo base: URL?) -> URL? {
        // An empty reference is the document itself (RFC 3986, section 4.4).
        guard !bytes.isEmpty else { return base }
        return URL(location: String(decoding: bytes, as: UTF8.self), relativeTo: base)?.absoluteURL
    }

    private static func parameters(_ parts: [ArraySlice<UInt8>]) -> [String: String] {
        var (plain, extended): ([String: String], [String: String]) = ([:], [:])
        for part in parts {
            let sign = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = part[..<sign].withoutFieldSpace
            let bytes = part[sign...].dropFirst().withoutFieldSpace
            guard name.isHTTPToken else { continue }
            let value = String(decoding: bytes.unquoted ?? Array(bytes), as: UTF8.self)
            if name.last == UInt8(ascii: "*") {
                let base = name.dropLast().loweredText
                if extended[base] == nil, let decoded = decoded(value) { extended[base] = decoded }
            } else if plain[name.loweredText] == nil {
                plain[name.loweredText] = value
            }
        }
        return plain.merging(extended) { $1 }
    }

    /// An extended value in UTF-8, such as `UTF-8'en'%e2%82%ac` (RFC 8187, section 3.2).
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return String(parts[2]).removingPercentEncoding
    }
}

extension LinkField: CustomStringConvertible, CustomReflectable {
    /// The target and the relations, with secrets redacted: "<https://example.com/posts?page=2>; rel="next"".
    public var description: String {
        let relations = relations.joined(separator: " ").escapingControlCharacters
        return "<\(url.text(redacting: .secrets))>; rel=\"\(relations)\""
    }

    /// Empty: see the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
