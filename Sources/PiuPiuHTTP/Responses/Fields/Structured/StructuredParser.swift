/// Reads structured fields byte by byte (RFC 9651, section 4.2). No byte is read more than twice, and nothing recurses.
struct StructuredParser {
    /// The joined lines of the field; non-ASCII bytes are valid nowhere.
    private let bytes: [UInt8]
    var index = 0

    private init(_ fieldLines: [String]) {
        bytes = Array(fieldLines.joined(separator: ", ").utf8)
    }

    /// Parses a whole field, which may have spaces around it.
    static func whole<Field>(
        of fieldLines: [String], _ parse: (inout Self) throws(StructuredFieldError) -> Field
    ) throws(StructuredFieldError) -> Field {
        var parser = Self(fieldLines)
        parser.skip { $0 == 0x20 }
        let field = try parse(&parser)
        parser.skip { $0 == 0x20 }
        guard parser.next == nil else { throw parser.error(.end) }
        return field
    }

    // MARK: Bytes

    /// The next byte, without taking it; `nil` at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func error(_ rule: StructuredFieldError.Rule) -> StructuredFieldError { .malformed(rule, offset: index) }

    /// Takes the next byte if it is this one.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Takes the bytes while the condition holds.
    mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = bytes[index...].prefix(while: isTaken)
        index = taken.endIndex
        return taken
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) { _ = take(while: isSkipped) }

    // MARK: Fields

    mutating func list() throws(StructuredFieldError) -> [StructuredMember] {
        var members: [StructuredMember] = []
        while try hasMember(isFirst: members.isEmpty) { members.append(try member()) }
        return members
    }

    mutating func dictionary() throws(StructuredFieldError) -> StructuredDictionary {
        var dictionary = StructuredDictionary()
        while try hasMember(isFirst: dictionary.isEmpty) {
            let key = try key()
            dictionary[key] =
                take("=") ? try member() : .item(StructuredItem(.boolean(true), parameters: try parameters()))
        }
        return dictionary
    }

    /// Whether a member follows: the first, or one after a comma, which must not end the field.
    private mutating func hasMember(isFirst: Bool) throws(StructuredFieldError) -> Bool {
        if isFirst { return next != nil }
        skip { $0 == 0x20 || $0 == 0x09 }
        guard next != nil else { return false }
        guard take(",") else { throw error(.member) }
        skip { $0 == 0x20 || $0 == 0x09 }
        guard next != nil else { throw error(.member) }
        return true
    }

    private mutating func member() throws(StructuredFieldError) -> StructuredMember {
        guard take("(") else { return .item(try item()) }
        var items: [StructuredItem] = []
        while true {
            skip { $0 == 0x20 }
            if take(")") { return .innerList(items, parameters: try parameters()) }
            items.append(try item())
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { throw error(.innerList) }
        }
    }

    mutating func item() throws(StructuredFieldError) -> StructuredItem {
        let value = try value()
        return StructuredItem(value, parameters: try parameters())
    }

    private mutating func parameters() throws(StructuredFieldError) -> StructuredParameters {
        var parameters = StructuredParameters()
        while take(";") {
            skip { $0 == 0x20 }
            let key = try key()
            parameters[key] = take("=") ? try value() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws(StructuredFieldError) -> String {
        guard let first = next, first.beginsStructuredKey else { throw error(.key) }
        return String(decoding: take(while: \.isInStructuredKey), as: UTF8.self)
    }
}

extension UInt8 {
    var beginsStructuredKey: Bool { (0x61...0x7A).contains(self) || self == UInt8(ascii: "*") }

    var isInStructuredKey: Bool {
        beginsStructuredKey || (0x30...0x39).contains(self) || "_-.".utf8.contains(self)
    }

    var beginsStructuredToken: Bool {
        (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == UInt8(ascii: "*")
    }

    var isInStructuredToken: Bool { isHTTPTokenCharacter || self == UInt8(ascii: ":") || self == UInt8(ascii: "/") }

    /// Whether it is a printable ASCII character.
    var isPrintableASCII: Bool { (0x20...0x7E).contains(self) }
}
