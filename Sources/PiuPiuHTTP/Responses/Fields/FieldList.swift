/// Parsing of list-based fields (RFC 9110, section 5.6.1).
package enum FieldList {
    /// The members of all lines, without the white space around them; empty ones are ignored.
    package static func members(of fieldLines: [String]) -> [ArraySlice<UInt8>] {
        fieldLines.flatMap { line in
            Array(line.utf8).split(separator: UInt8(ascii: ",")).map(\.withoutFieldSpace).filter { !$0.isEmpty }
        }
    }

    /// The same, where a comma in a quoted string doesn't separate. An unclosed quote doesn't count.
    package static func membersWithQuotes(of fieldLines: [String]) -> [ArraySlice<UInt8>] {
        fieldLines.flatMap { membersWithQuotes(of: Array($0.utf8)) }
    }

    private static func membersWithQuotes(of line: [UInt8]) -> [ArraySlice<UInt8>] {
        parts(of: line[...], separatedBy: UInt8(ascii: ","))
    }

    /// The parts of a line between separators that aren't in a quoted string, without the white space around them; empty
    /// ones are ignored.
    ///
    /// - Parameter hasReferences: whether nothing separates in the angle brackets at the beginning of a part either.
    package static func parts(
        of line: ArraySlice<UInt8>, separatedBy separator: UInt8, hasReferences: Bool = false
    ) -> [ArraySlice<UInt8>] {
        var members: [ArraySlice<UInt8>] = []
        var (start, index, mayQuote, mayRefer) = (line.startIndex, line.startIndex, true, hasReferences)
        // Whether the part has begun. To look back for that at each bracket would take quadratic time.
        var hasBegun = false
        while index < line.endIndex {
            let byte = line[index]
            switch byte {
            case separator:
                members.append(line[start..<index].withoutFieldSpace)
                start = index + 1
            case UInt8(ascii: "\"") where mayQuote:
                // After an unclosed quote, no later one is searched for: the time stays linear.
                if let end = line[index...].endOfQuotedString { index = end - 1 } else { mayQuote = false }
            case UInt8(ascii: "<") where mayRefer && !hasBegun:
                if let end = line[index...].firstIndex(of: UInt8(ascii: ">")) { index = end } else { mayRefer = false }
            default: break
            }
            hasBegun = byte != separator && (hasBegun || byte != 0x20 && byte != 0x09)
            index += 1
        }
        members.append(line[start...].withoutFieldSpace)
        return members.filter { !$0.isEmpty }
    }

    /// Seconds by RFC 9111, section 1.2.2: only digits, and at most 2³¹.
    package static func seconds(_ digits: some Sequence<UInt8>) -> Int? {
        var value: Int64?
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = min((value ?? 0) * 10 + Int64(digit - 0x30), 1 << 31)
        }
        return value.map { Int(clamping: $0) }
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at both ends.
    package var withoutFieldSpace: Self {
        drop { $0 == 0x20 || $0 == 0x09 }.trimmedAtEnd { $0 == 0x20 || $0 == 0x09 }
    }

    /// The index after the quoted string that begins here; `nil` if it isn't closed.
    fileprivate var endOfQuotedString: Int? {
        var index = startIndex + 1
        while index < endIndex {
            switch self[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    /// The contents, if all of this is a quoted string; otherwise `nil`.
    package var unquoted: [UInt8]? {
        guard first == UInt8(ascii: "\""), endOfQuotedString == endIndex else { return nil }
        var text: [UInt8] = []
        var rest = dropFirst().dropLast()
        while let byte = rest.popFirst() {
            text.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return text
    }

    /// The text in lower case.
    package var loweredText: String { String(decoding: map(\.loweredASCII), as: UTF8.self) }
}
