import Foundation
import Testing

/// A block of Swift code of a Markdown file.
struct CodeBlock: Sendable, CustomTestStringConvertible {
    /// The file's name without its extension.
    let document: String
    /// The last heading above, in the form of a link, with the number of the block below it: `sixty-seconds-1`. A line
    /// `<!-- snippet: name -->` above the block gives it a name that doesn't depend on its place.
    let name: String
    /// The heading alone: `sixty-seconds`.
    let heading: String
    /// Where the code begins in the document.
    let line: Int
    let code: [String]

    var testDescription: String { "\(document).md:\(line) \(name)" }

    /// Articles whose code is compiled and run by the package Tests/Interoperability, which has what it imports.
    private static let articlesOfOthers: Set = ["EnginesOfYourOwn.md", "ObservingRecipes.md"]

    /// The blocks of the documents in the root of the package, and of the articles.
    static func all() throws -> [CodeBlock] {
        let articles = try ["PiuPiu", "PiuPiuTesting"].flatMap { module in
            let catalogue = PackageFolders.root.appending(path: "Sources/\(module)/\(module).docc")
            return try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "md" && !articlesOfOthers.contains($0.lastPathComponent) }
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
        }
        let documents = ["README.md", "Migration.md"].map { PackageFolders.root.appending(path: $0) }
        return try (documents + articles).flatMap { file in
            let document = file.deletingPathExtension().lastPathComponent
            return try blocks(in: String(contentsOf: file, encoding: .utf8), document: document)
        }
    }

    /// The blocks that begin with three backticks and `swift`.
    static func blocks(in text: String, document: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var heading = "", number = 0
        var marker: String?
        var open: (line: Int, code: [String]?)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```"), let (start, code) = open {
                if let code {
                    number += 1
                    blocks.append(
                        CodeBlock(
                            document: document, name: marker ?? "\(heading)-\(number)", heading: heading, line: start,
                            code: code))
                }
                (open, marker) = (nil, nil)
            } else if line.hasPrefix("```") {
                open = (index + 2, line == "```swift" ? [] : nil)
            } else if open != nil {
                open?.code?.append(String(line))
            } else if let match = line.wholeMatch(of: /#+ (.+)/) {
                (heading, number) = (slug(String(match.1)), 0)
            } else if let match = line.wholeMatch(of: /<!-- snippet: (.+) -->/) {
                marker = String(match.1)
            }
        }
        return blocks
    }

    /// The heading as a link names it.
    static func slug(_ heading: String) -> String {
        heading.lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .replacing(" ", with: "-")
    }
}
