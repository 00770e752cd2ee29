import Foundation
import Testing

/// A file as the tutorial shows it at a step: `Tutorials/Code/SECTION-FILE-STEP.swift` in the documentation.
struct TutorialStep: Sendable, CustomTestStringConvertible {
    let file: URL

    /// The result of the first section, which the other sections continue.
    private static let model = "1-Blog-5.swift"
    private static let folder = PackageFolders.root.appending(path: "Sources/PiuPiu/PiuPiu.docc/Tutorials/Code")

    var testDescription: String { file.lastPathComponent }

    static func all() throws -> [TutorialStep] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }.map { TutorialStep(file: $0) }
    }

    /// The file, with the one that it continues.
    var sources: [SourceText] {
        get throws {
            let isFirst = file.lastPathComponent.hasPrefix("1-")
            return try (isFirst ? [file] : [Self.folder.appending(path: Self.model), file]).map {
                SourceText(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8))
            }
        }
    }
}
