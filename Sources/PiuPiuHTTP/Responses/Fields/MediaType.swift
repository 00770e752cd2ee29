/// A media type with its parameters, parsed as in browsers (WHATWG MIME Sniffing, section 4.4).
package struct MediaType: Sendable, Equatable, CustomStringConvertible {
    /// One of the parameters.
    fileprivate struct Parameter: Equatable {
        let name: String
        let value: String
    }

    /// Type and subtype, in lower case, such as `text/plain`.
    package let essence: String

    private var parameters: [Parameter] = []

    /// The index of each parameter, by its name.
    private var places: [String: Int] = [:]

    /// The type of content without a media type.
    package static let plainASCII = MediaType(charset: "US-ASCII")

    private init(charset: String) {
        essence = "text/plain"
        add("charset", charset)
    }

    /// Parses the text; `nil` without a type and a subtype. Malformed and repeated parameters are ignored.
    package init?(_ text: ArraySlice<UInt8>) {
        var rest = text.trimmed
        let type = rest.take { $0 != UInt8(ascii: "/") }
        guard type.isHTTPToken, rest.popFirst() != nil else { return nil }
        let subtype = rest.take { $0 != UInt8(ascii: ";") }.trimmedAtEnd(where: \.isASCIISpace)
        guard subtype.isHTTPToken else { return nil }
        essence = String(decoding: (type + [UInt8(ascii: "/")] + subtype).map(\.loweredASCII), as: UTF8.self)
        while rest.popFirst() != nil { addParameter(from: &rest) }
    }

    /// The value of a parameter, whose name is in lower case.
    package func parameter(_ name: String) -> String? {
        places[name].map { parameters[$0].value }
    }

    /// The media type as in a header.
    package var description: String {
        essence
            + parameters.map { parameter in
                ";\(parameter.name)="
                    + (parameter.value.utf8.isHTTPToken ? parameter.value : parameter.quoted)
            }.joined()
    }

    /// Reads one parameter, up to the semicolon after it.
    private mutating func addParameter(from rest: inout ArraySlice<UInt8>) {
        rest = rest.drop(while: \.isASCIISpace)
        let name = rest.take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
        guard rest.first == UInt8(ascii: "=") else { return }
        rest = rest.dropFirst()
        let isQuoted = rest.first == UInt8(ascii: "\"")
        let value = isQuoted ? Self.quotedText(from: &rest) : []
        // Text after the closing quote is ignored.
        let plain = rest.take { $0 != UInt8(ascii: ";") }.trimmedAtEnd(where: \.isASCIISpace)
        add(name, isQuoted ? value[...] : plain, mayBeEmpty: isQuoted)
    }

    private mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, mayBeEmpty: Bool) {
        let name = String(decoding: name.map(\.loweredASCII), as: UTF8.self)
        guard name.utf8.isHTTPToken, mayBeEmpty || !value.isEmpty,
            value.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) || $0 >= 0x80 })
        else { return }
        add(name, String(decoding: value, as: UTF8.self))
    }

    private mutating func add(_ name: String, _ value: String) {
        guard places[name] == nil else { return }
        places[name] = parameters.count
        parameters.append(Parameter(name: name, value: value))
    }

    /// The text in quotes. A backslash escapes the next character, and the closing quote may be missing.
    private static func quotedText(from rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            text.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return text
    }
}

extension MediaType.Parameter {
    /// The value in quotes.
    fileprivate var quoted: String {
        "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the first bytes for which `isTaken` is true.
    fileprivate mutating func take(while isTaken: (UInt8) -> Bool) -> Self {
        let taken = prefix(while: isTaken)
        self = dropFirst(taken.count)
        return taken
    }
}

extension Collection<UInt8> {
    /// Whether it is a token of HTTP (RFC 9110, section 5.6.2).
    package var isHTTPToken: Bool { !isEmpty && allSatisfy(\.isHTTPTokenCharacter) }
}

extension UInt8 {
    /// Whether it is one of RFC 9110's `tchar`, section 5.6.2.
    @inlinable
    package var isHTTPTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
