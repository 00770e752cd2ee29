import Foundation
import Testing

/// A file as the tutorial shows it at a step: `Tutorials/Code/SECTION-FILE-STEP.swift` in the documentation.
struct TutorialStep: Sendable, CustomTestStringConvertible {
    let file: URL

    /// The result of the first section, which the other sections continue.
    private static let model = "1-Blog-5.swift"
    /// How the tests of the last section import the module of the others. Here all files are of one module.
    private static let appImport = "@testable import BlogApp"
    private static let folder = PackageFolders.root.appending(path: "Sources/PiuPiu/PiuPiu.docc/Tutorials/Code")

    var testDescription: String { file.lastPathComponent }

    static func all() throws -> [TutorialStep] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }.map { TutorialStep(file: $0) }
    }

    /// Whether the file belongs to the test target, another module than that of all other sections.
    private var isTest: Bool { file.lastPathComponent.hasPrefix("6-") }

    /// Whether the file imports the module of the app if it is in another one, and only then.
    var importsWhatItUses: Bool {
        get throws { try String(contentsOf: file, encoding: .utf8).contains(Self.appImport) == isTest }
    }

    /// The file, with the one that it continues.
    var sources: [SourceText] {
        get throws {
            let isFirst = file.lastPathComponent.hasPrefix("1-")
            return try (isFirst ? [file] : [Self.folder.appending(path: Self.model), file]).map {
                let text = try String(contentsOf: $0, encoding: .utf8)
                return SourceText(name: $0.lastPathComponent, text: text.replacing(Self.appImport, with: ""))
            }
        }
    }
}
