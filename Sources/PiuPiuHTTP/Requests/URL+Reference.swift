package import Foundation

extension URL {
    /// The URL of a reference that may have characters that no URL can have, as servers write them in a `Location`
    /// (RFC 3986, section 4.1). It may be relative to `base`.
    ///
    /// As in browsers, such characters are percent-encoded, and the codes that are there stay. Foundation would encode
    /// all of a component that has such a character, its codes once more. Scheme and authority are left to it: a host
    /// may be an international name, or an IPv6 address in brackets.
    package init?(reference: String, relativeTo base: URL? = nil) {
        let path = reference.startOfPath
        let fragment = reference[path...].utf8.firstIndex(of: UInt8(ascii: "#")) ?? reference.endIndex
        var text = reference[..<path] + PercentEncoding.completed(reference[path..<fragment])
        if fragment < reference.endIndex {
            text += "#" + PercentEncoding.completed(reference[fragment...].dropFirstByte)
        }
        self.init(string: String(text), relativeTo: base)
    }
}

extension String {
    /// Where the path of a URL begins: after the scheme and the authority, if it has them.
    fileprivate var startOfPath: Index {
        var rest = self[...]
        if let end = utf8.firstIndex(where: { ":/?#".utf8.contains($0) }), utf8[end] == UInt8(ascii: ":") {
            rest = self[end...].dropFirstByte
        }
        guard rest.utf8.starts(with: "//".utf8) else { return rest.startIndex }
        return rest.utf8.dropFirst(2).firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    }
}

extension Substring {
    /// A separator with a combining mark after it is another `Character`.
    fileprivate var dropFirstByte: Substring { self[utf8.index(after: startIndex)...] }
}
