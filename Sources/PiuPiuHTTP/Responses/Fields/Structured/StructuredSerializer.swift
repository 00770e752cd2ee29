import Foundation

/// Writes structured fields (RFC 9651, section 4.1).
struct StructuredSerializer {
    private(set) var text = ""

    mutating func append(_ members: [StructuredMember]) throws(StructuredFieldError) {
        for (number, member) in members.enumerated() {
            if number > 0 { text += ", " }
            try append(member)
        }
    }

    mutating func append(_ dictionary: StructuredDictionary) throws(StructuredFieldError) {
        for (number, key) in dictionary.keys.enumerated() {
            if number > 0 { text += ", " }
            try append(key: key)
            guard let member = dictionary[key] else { continue }
            if case .item(let item) = member, item.value == .boolean(true) {
                try append(item.parameters)
            } else {
                text += "="
                try append(member)
            }
        }
    }

    mutating func append(_ item: StructuredItem) throws(StructuredFieldError) {
        try append(item.value)
        try append(item.parameters)
    }

    private mutating func append(_ member: StructuredMember) throws(StructuredFieldError) {
        switch member {
        case .item(let item): try append(item)
        case .innerList(let items, let parameters):
            text += "("
            for (number, item) in items.enumerated() {
                if number > 0 { text += " " }
                try append(item)
            }
            text += ")"
            try append(parameters)
        }
    }

    private mutating func append(_ parameters: StructuredParameters) throws(StructuredFieldError) {
        for key in parameters.keys {
            text += ";"
            try append(key: key)
            guard let value = parameters[key], value != .boolean(true) else { continue }
            text += "="
            try append(value)
        }
    }

    private mutating func append(key: String) throws(StructuredFieldError) {
        guard let first = key.utf8.first, first.beginsStructuredKey, key.utf8.allSatisfy(\.isInStructuredKey) else {
            throw .unwritable(.key)
        }
        text += key
    }

    // MARK: Values

    mutating func append(_ value: StructuredValue) throws(StructuredFieldError) {
        switch value {
        case .integer(let integer): text += try Self.digits(integer, .integer)
        case .decimal(let decimal): text += try Self.text(of: decimal)
        case .string(let string): text += try Self.quoted(string)
        case .token(let token):
            guard token.isStructuredToken else { throw .unwritable(.token) }
            text += token
        case .binary(let data): text += ":\(data.base64EncodedString()):"
        case .boolean(let boolean): text += boolean ? "?1" : "?0"
        case .date(let date):
            guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else {
                throw .unwritable(.date)
            }
            text += "@" + (try Self.digits(seconds, .date))
        case .displayString(let string): text += Self.displayed(string)
        }
    }

    private static func digits(
        _ integer: Int64, _ rule: StructuredFieldError.Rule
    ) throws(StructuredFieldError) -> String {
        guard integer.magnitude <= 999_999_999_999_999 else { throw .unwritable(rule) }
        return "\(integer)"
    }

    private static func text(of decimal: Decimal) throws(StructuredFieldError) -> String {
        var decimal = decimal, rounded = Decimal()
        NSDecimalRound(&rounded, &decimal, 3, .bankers)
        // A whole number: its description is only digits.
        guard let thousandths = Int64((rounded * 1000).description), thousandths.magnitude <= 999_999_999_999_999 else {
            throw .unwritable(.decimal)
        }
        let (integer, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var digits = "\(fraction + 1000)".dropFirst()
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return (thousandths < 0 ? "-" : "") + "\(integer).\(digits)"
    }

    private static func quoted(_ string: String) throws(StructuredFieldError) -> String {
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in string.utf8 {
            guard byte.isPrintableASCII else { throw .unwritable(.string) }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        return String(decoding: quoted, as: UTF8.self) + "\""
    }

    private static func displayed(_ string: String) -> String {
        var displayed = Array("%\"".utf8)
        for byte in string.utf8 {
            if byte.isPrintableASCII, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "\"") {
                displayed.append(byte)
            } else {
                displayed += "%\(SecureHash.hex(of: [byte]))".utf8
            }
        }
        return String(decoding: displayed, as: UTF8.self) + "\""
    }
}

extension String {
    /// Whether it can be written as a token.
    var isStructuredToken: Bool {
        utf8.first?.beginsStructuredToken == true && utf8.allSatisfy(\.isInStructuredToken)
    }
}
