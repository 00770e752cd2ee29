import Foundation

/// A name that the compiler reports as renamed: "… is deprecated: renamed to '…'".
struct Renaming {
    let line: Int
    let column: Int
    let base: String
    /// The labels of a function's arguments, "_" for none; `nil` for what has no arguments.
    let labels: [String]?

    /// Reads a line such as `/a.swift:7:14: warning: 'join' is deprecated: renamed to 'seriesJoin(callback:)' [#…]`.
    init?(_ diagnostic: String) {
        let parts = diagnostic.components(separatedBy: "renamed to '")
        guard parts.count == 2, let name = parts[1].components(separatedBy: "'").first else { return nil }
        let place = parts[0].components(separatedBy: ":")
        guard place.count > 2, let line = Int(place[1]), let column = Int(place[2]) else { return nil }
        self.line = line
        self.column = column
        let pieces = name.components(separatedBy: "(")
        base = pieces[0]
        labels = pieces.count == 2 ? pieces[1].dropLast().split(separator: ":").map(String.init) : nil
    }

    /// Applies all of them to the text, from its end to its beginning, so that no place moves before its turn.
    static func apply(_ renamings: [Renaming], to text: String) -> String {
        var lines = text.components(separatedBy: "\n")
        for renaming in renamings.sorted(by: { ($0.line, $0.column) > ($1.line, $1.column) }) {
            let before = lines[..<(renaming.line - 1)]
            let rest = Array(lines[(renaming.line - 1)...].joined(separator: "\n").utf8)
            let changed = renaming.applied(to: rest)
            lines = before + String(decoding: changed, as: UTF8.self).components(separatedBy: "\n")
        }
        return lines.joined(separator: "\n")
    }

    /// The text from the beginning of the line on, changed.
    private func applied(to text: [UInt8]) -> [UInt8] {
        let start = column - 1
        let end = text[start...].firstIndex { !Self.isPartOfName($0) } ?? text.endIndex
        let changed = Array(text[..<start]) + Array(base.utf8)
        guard let labels = labels, end < text.endIndex, text[end] == UInt8(ascii: "(") else {
            return changed + text[end...]
        }
        return changed + Self.relabelled(Array(text[end...]), with: labels)
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    /// The arguments in parentheses at the beginning of the text, with other labels.
    private static func relabelled(_ text: [UInt8], with labels: [String]) -> [UInt8] {
        var depth = 0, starts: [Int] = []
        scan: for (index, byte) in text.enumerated() {
            switch Unicode.Scalar(byte) {
            case "(", "[", "{":
                depth += 1
                if index == 0, text[1] != UInt8(ascii: ")") { starts.append(1) }
            case ")", "]", "}":
                depth -= 1
                if depth == 0 { break scan }
            case "," where depth == 1: starts.append(index + 1)
            default: break
            }
        }
        var changed = text
        for (start, label) in zip(starts, labels).reversed() {
            let nameStart = changed[start...].firstIndex { $0 != UInt8(ascii: " ") } ?? start
            let nameEnd = changed[nameStart...].firstIndex { !isPartOfName($0) } ?? nameStart
            let hasLabel = nameEnd > nameStart && changed[nameEnd] == UInt8(ascii: ":")
            let new = label == "_" ? "" : label + ": "
            changed.replaceSubrange(nameStart..<(hasLabel ? nameEnd + 2 : nameStart), with: Array(new.utf8))
        }
        return changed
    }
}
