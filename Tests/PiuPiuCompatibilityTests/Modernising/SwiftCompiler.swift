import Foundation
import TestSupport

/// The compiler, to check client code against the module that the tests were built with.
struct SwiftCompiler {
    struct Failure: Error {
        let output: String
    }

    /// The compiler on the path, and the folder of the built modules.
    static let shared: SwiftCompiler? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let compilers = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
        guard let compiler = compilers.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }),
            var folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        else { return nil }
        while folder.path != "/" {
            let modules = folder.appendingPathComponent("Modules")
            if FileManager.default.fileExists(atPath: modules.appendingPathComponent("PiuPiu.swiftmodule").path) {
                return SwiftCompiler(compiler: compiler, modules: modules)
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    let compiler: URL
    let modules: URL

    /// The options for the C modules that PiuPiu is built with.
    private var moduleMaps: [String] {
        ["CPiuPiuCurl", "CPiuPiuCodings"].flatMap { name in
            let map = modules.deletingLastPathComponent().appendingPathComponent("\(name).build/module.modulemap")
            return ["-Xcc", "-fmodule-map-file=\(map.path)"]
        }
    }

    /// Checks a file, and gives the lines of the errors and warnings.
    func diagnostics(of file: URL, languageMode: Int) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let outputFile = folder.appendingPathComponent("output")
        let status = try await ChildProcess.run(
            compiler.path,
            [
                "-typecheck", "-swift-version", "\(languageMode)", "-diagnostic-style=llvm",
                "-I", modules.path, "-module-cache-path", folder.appendingPathComponent("cache").path, file.path,
            ] + moduleMaps, output: outputFile)
        let text = try String(contentsOf: outputFile, encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let found = lines.filter { $0.hasPrefix(file.path) && ($0.contains(" error: ") || $0.contains(" warning: ")) }
        guard status == 0 || !found.isEmpty else { throw Failure(output: text) }
        return found
    }
}
