import Foundation
import Testing

/// The compiler that has built this test, asked about other sources.
enum Compiler {
    /// Compiles sources as one module as far as all diagnostics, warnings too, are known.
    ///
    /// Type-checking alone would miss the diagnostics of region isolation, which come with the intermediate language.
    /// So would treating warnings as errors, as the compiler generates nothing from a source with errors.
    ///
    /// - Parameters:
    ///   - groups: the groups of diagnostics that are left out; an example need not use all that it makes.
    ///   - condition: a condition that `#if` finds defined.
    static func diagnostics(
        of sources: [SourceText], _ mode: CompilerMode, allowing groups: [String] = [],
        defining condition: String? = nil
    ) async throws -> [Diagnostic] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ClientModes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files: [String] = []
        for source in sources {
            let file = folder.appending(path: source.name)
            try source.text.write(to: file, atomically: true, encoding: .utf8)
            files.append(file.path())
        }
        let output = folder.appending(path: "diagnostics.txt")
        let modules = try #require(Self.modules, "no folder of modules near this test")
        // The modules of C that PiuPiu is built with.
        let moduleMaps = ["CPiuPiuCurl", "CPiuPiuCodings"].flatMap { name in
            let map = modules.deletingLastPathComponent().appending(path: "\(name).build/module.modulemap")
            return ["-Xcc", "-fmodule-map-file=\(map.path())"]
        }
        let arguments =
            ["-emit-sil", "-wmo", "-parse-as-library", "-module-name", "Client", "-o", "/dev/null"]
            + ["-I", modules.path()] + moduleMaps
            + (condition.map { ["-D", $0] } ?? []) + platformArguments + mode.arguments + files
        let status = try await run(arguments, output: output)
        let text = try String(contentsOf: output, encoding: .utf8)
        let diagnostics = Diagnostic.all(in: text)
        let isRefused = diagnostics.contains(where: \.isError)
        try #require((status != 0) == isRefused, "the compiler ended with \(status): \(text)")
        return diagnostics.filter { diagnostic in !groups.contains { diagnostic.isOf(group: $0) } }
    }

    /// The folder of the module `PiuPiu` that this test was built with, beside the test's executable or bundle.
    private static let modules: URL? = {
        let starts = CommandLine.arguments.map { URL(filePath: $0) } + Bundle.allBundles.map(\.bundleURL)
        for start in starts {
            var folder = start
            for _ in 0..<5 {
                folder.deleteLastPathComponent()
                let modules = folder.appending(path: "Modules", directoryHint: .isDirectory)
                let module = modules.appending(path: "PiuPiu.swiftmodule")
                if FileManager.default.fileExists(atPath: module.path()) { return modules }
            }
        }
        return nil
    }()

    private static var platformArguments: [String] {
        #if os(macOS) && arch(arm64)
            ["-target", "arm64-apple-macosx15.0"]
        #elseif os(macOS)
            ["-target", "x86_64-apple-macosx15.0"]
        #else
            []
        #endif
    }
}

/// A source file that need not exist.
struct SourceText: Sendable {
    let name: String
    let text: String
}
