import Foundation

/// The header fields of a response as they came, line by line, in one block of memory.
@usableFromInline
package struct HeadLines: Sendable {
    /// "name:value" for each field, with a line feed after it.
    @usableFromInline package internal(set) var bytes: [UInt8] = []

    /// A bit for each name, which several names may share. Most questions are about fields that a response doesn't have,
    /// and this answers them without a search.
    private var names: UInt64

    package init() {
        names = 0
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
        names = .max
    }

    /// Reserves memory for some more bytes.
    package mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Adds a field.
    @inlinable
    package mutating func append(name: some Sequence<UInt8>, value: some Sequence<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        noteName(from: start)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Continues the value of the last field (the obsolete line folding of RFC 9112, section 5.2).
    ///
    /// - Parameter isEmpty: whether that value is empty so far.
    @inlinable
    package mutating func continueLast(with value: some Sequence<UInt8>, isEmpty: Bool) {
        guard bytes.popLast() != nil else { return }
        if !isEmpty { bytes.append(UInt8(ascii: " ")) }
        bytes.append(contentsOf: value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Notes the name at the end.
    @usableFromInline
    package mutating func noteName(from start: Int) {
        let count = bytes.count - start
        names |= count == 0 ? 1 : Self.bit(first: bytes[start], last: bytes[bytes.count - 1], count: count)
    }

    /// The bit of a name, whatever its case.
    private static func bit(of name: String.UTF8View) -> UInt64 {
        guard let first = name.first, let last = name.last else { return 1 }
        return bit(first: first, last: last, count: name.count)
    }

    private static func bit(first: UInt8, last: UInt8, count: Int) -> UInt64 {
        1 << UInt64((count &* 7 &+ Int(first.loweredASCII) &* 3 &+ Int(last.loweredASCII)) & 63)
    }

    /// The content codings of the body; see ``TransferHead/contentCodings``.
    package var contentCodings: [String] { Self.contentCodings(values(for: "content-encoding")) }

    /// The content codings that the values of `Content-Encoding` name.
    package static func contentCodings(_ values: [String]) -> [String] {
        // Most responses have no such field.
        guard !values.isEmpty else { return [] }
        return FieldList.members(of: values).map(\.loweredText).filter { $0 != "identity" && $0 != "none" }
    }

    /// The values of the fields of a name, whatever its case, in order.
    package func values(for name: String) -> [String] {
        guard names & Self.bit(of: name.utf8) != 0 else { return [] }
        var values: [String] = []
        let length = name.utf8.count
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = endOfLine(from: start), colon = start + length
            if colon < end, bytes[colon] == UInt8(ascii: ":"), isName(name.utf8, at: start) {
                values.append(Self.text(bytes[(colon + 1)..<end]))
            }
            start = end + 1
        }
        return values
    }

    private func endOfLine(from start: Int) -> Int {
        // Sound: the search is confined to the array, and the pointer is used only here.
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count,
                let end = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return bytes.count }
            return UnsafeRawPointer(end) - base
        }
    }

    /// Whether these bytes are the name of a line, whatever its case.
    private func isName(_ name: String.UTF8View, at start: Int) -> Bool {
        // The bytes of a string are slow one by one.
        name.withContiguousStorageIfAvailable { isName($0, at: start) } ?? isName(Array(name), at: start)
    }

    private func isName(_ name: some Collection<UInt8>, at start: Int) -> Bool {
        var place = start
        for byte in name {
            guard bytes[place].loweredASCII == byte.loweredASCII, byte != UInt8(ascii: ":") else { return false }
            place += 1
        }
        return true
    }

    /// The fields by name; repeated fields are joined with commas.
    package var dictionary: [String: String] {
        var fields: [String: String] = [:]
        var spellings: [String: String] = [:]
        forEachField { name, value in
            let name = Self.text(name), value = Self.text(value)
            if let known = spellings[name.lowercased()] {
                // In place: a copy for each of many equal names would take quadratic time.
                fields[known]? += ", " + value
            } else {
                spellings[name.lowercased()] = name
                fields[name] = value
            }
        }
        return fields
    }

    /// The names and values, line by line.
    package var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        forEachField { name, value in fields.append((Self.text(name), Self.text(value))) }
        return fields
    }

    private func forEachField(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
        var start = bytes.startIndex
        while start < bytes.endIndex, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[start..<end]
            if let colon = line.firstIndex(of: UInt8(ascii: ":")) { body(line[..<colon], line[(colon + 1)...]) }
            start = end + 1
        }
    }

    /// UTF-8, or else Latin-1, which fields may still use (RFC 9110, section 5.5).
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        // Nearly all fields, and faster than to validate them.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
