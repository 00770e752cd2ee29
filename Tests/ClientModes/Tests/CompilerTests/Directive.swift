import Foundation

/// A comment at the top of a file that says how to compile it: `// key: value, value`.
enum Directive {
    /// The values behind a key; none if it isn't there.
    static func values(_ key: String, in text: String) -> [String] {
        let prefix = "// \(key): "
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(prefix) }) else { return [] }
        return line.dropFirst(prefix.count).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
