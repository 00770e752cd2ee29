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

    /// The URL of a `Location`, or of another field of a response that refers to a URL. It may be relative to `base`.
    /// Read as in browsers: tabs are left out, and backslashes are slashes.
    package init?(location: String, relativeTo base: URL?) {
        self.init(reference: location.locationInBrowsers(of: base?.scheme ?? ""), relativeTo: base)
    }
}

extension String {
    /// This reference as browsers read it (URL standard, section 4.4): tabs and line breaks are left out, and in an http
    /// or https URL a backslash before the query is a slash, also before a host.
    ///
    /// - Parameter base: the scheme of the URL that it may be relative to.
    func locationInBrowsers(of base: String = "http") -> String {
        let text = String(unicodeScalars.filter { !"\t\n\r".unicodeScalars.contains($0) })
        let scheme = text.scheme?.lowercased() ?? base.lowercased()
        guard scheme == "http" || scheme == "https" else { return text }
        let scalars = text.unicodeScalars, end = scalars.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let address = String.UnicodeScalarView(scalars[..<end].map { $0 == "\\" ? "/" : $0 })
        return String(address) + text[end...]
    }

    /// The scheme of a URL, if it has one.
    fileprivate var scheme: Substring? {
        guard let end = utf8.firstIndex(where: { ":/\\?#".utf8.contains($0) }), utf8[end] == UInt8(ascii: ":") else {
            return nil
        }
        return self[..<end]
    }

    /// Where the path of a URL begins: after the scheme and the authority, if it has them.
    fileprivate var startOfPath: Index {
        var rest = self[...]
        if let scheme { rest = self[scheme.endIndex...].dropFirstByte }
        guard rest.utf8.starts(with: "//".utf8) else { return rest.startIndex }
        return rest.utf8.dropFirst(2).firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    }
}

extension Substring {
    /// A separator with a combining mark after it is another `Character`.
    fileprivate var dropFirstByte: Substring { self[utf8.index(after: startIndex)...] }
}
