import Foundation

/// What the compiler says about a line.
struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    let file: String
    let line: Int
    let text: String
    let isError: Bool

    var description: String { "\(file):\(line): \(text)" }

    /// Whether it belongs to the group of diagnostics with this name.
    func isOf(group: String) -> Bool { text.hasSuffix("[#\(group)]") }

    /// Reads lines like `path/File.swift:3:9: error: text`; what is neither error nor warning is left out.
    static func all(in output: String) -> [Diagnostic] {
        output.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /(.+?):(\d+):\d+: (error|warning): (.*)/),
                let number = Int(match.2)
            else {
                // A problem without a place, such as a missing module.
                return line.hasPrefix("error:") || line.hasPrefix("<unknown>:0: error:")
                    ? Diagnostic(file: "", line: 0, text: String(line), isError: true) : nil
            }
            let file = URL(filePath: String(match.1)).lastPathComponent
            return Diagnostic(file: file, line: number, text: String(match.4), isError: match.3 == "error")
        }
    }
}
