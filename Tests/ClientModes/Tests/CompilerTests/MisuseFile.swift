import Foundation
import Testing

/// A file under `Misuse`: code that some modes refuse and others, perhaps, let pass.
///
/// Its first lines name the modes, `// refused-in: swift6, swift5-complete` and `// allowed-in: swift5`. What the compiler
/// says stands above each line that it refuses: `// expected-error: text`, several times if needed.
struct MisuseFile: Sendable, CustomTestStringConvertible {
    struct Expectation: Sendable {
        let line: Int
        let text: String
    }

    let source: SourceText
    let refusing: [CompilerMode]
    let allowing: [CompilerMode]
    let expectations: [Expectation]

    var testDescription: String { source.name }

    init(name: String, text: String) throws {
        source = SourceText(name: name, text: text)
        refusing = try CompilerMode.all(in: text, "refused-in")
        allowing = try CompilerMode.all(in: text, "allowed-in")
        expectations = Self.expectations(in: text)
    }

    /// All files of the folder.
    static func all() throws -> [MisuseFile] {
        let folder = PackageFolders.clientModes.appending(path: "Misuse")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .sorted { $0.path() < $1.path() }
            .map { try MisuseFile(name: $0.lastPathComponent, text: String(contentsOf: $0, encoding: .utf8)) }
    }

    /// How the diagnostics differ from the expectations: not at all, if they match one to one.
    func differences(from diagnostics: [Diagnostic]) -> [String] {
        var rest = diagnostics
        var differences: [String] = []
        for expected in expectations {
            if let index = rest.firstIndex(where: { $0.line == expected.line && $0.text.contains(expected.text) }) {
                rest.remove(at: index)
            } else {
                differences.append("line \(expected.line): not said: \(expected.text)")
            }
        }
        return differences + rest.map { "not expected: \($0)" }
    }

    private static func expectations(in text: String) -> [Expectation] {
        var texts: [String] = []
        var expectations: [Expectation] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("// expected-error: ") {
                texts.append(String(words.dropFirst("// expected-error: ".count)))
            } else {
                expectations += texts.map { Expectation(line: index + 1, text: $0) }
                texts = []
            }
        }
        return expectations
    }
}
