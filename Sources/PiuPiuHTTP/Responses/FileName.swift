import Foundation

/// The name of a file in a folder, made of a text that a server has chosen.
///
/// It is never a path, never hidden, and has no characters that hide others.
struct FileName: Sendable {
    /// The name.
    let text: String

    /// A longer name has no room for additions, such as a number.
    private static let limit = 200

    /// Makes a name; `nil` if nothing is left of the text.
    init?(_ text: String) {
        let last = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? []
        var scalars = String.UnicodeScalarView(last.filter { !$0.isHiding })[...]
        scalars = scalars.drop { $0 == "." || $0.properties.isWhitespace }
        while let end = scalars.last, end.properties.isWhitespace { scalars.removeLast() }
        guard !scalars.isEmpty else { return nil }
        self.text = Self.cut(String(scalars))
    }

    /// The name of a file that has no other.
    static let fallback = "download"

    /// The text, cut at a character if it is too long; its extension is kept.
    private static func cut(_ name: String) -> String {
        guard name.utf8.count > limit else { return name }
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let end = name[dot...].utf8.count <= limit / 2 ? name[dot...] : ""
        // Forwards: to find the start of a character, a search backwards may read all before it.
        let start = name[..<(end.isEmpty ? name.endIndex : dot)]
        var room = limit - end.utf8.count, cut = start.startIndex
        while cut < start.endIndex {
            let next = start.index(after: cut)
            room -= start.utf8.distance(from: cut, to: next)
            guard room >= 0 else { break }
            cut = next
        }
        // A single character may be as long as one likes.
        return (cut == start.startIndex ? fallback : String(start[..<cut])) + end
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or changes how others are shown.
    fileprivate var isHiding: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
