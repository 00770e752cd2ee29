import Foundation
import Testing

/// Code in the Swift 5 mode runs the same with complete checking, so it is only compiled.
@Suite("SENDABLE: a client in the Swift 5 mode with complete checking", .timeLimit(.minutes(10)))
struct Swift5CompleteTests {
    @Test("The client of Swift6Tests compiles with the models and the service of its folder, and with others")
    func compiles() async throws {
        let client = try sources(in: "Tests/Swift6Tests").filter { !$0.name.hasSuffix("Tests.swift") }
        #expect(client.count > 4)
        #expect(try await Compiler.diagnostics(of: client, .swift5Complete).isEmpty)
        let others = try sources(in: "Swift5Complete"), names = others.map(\.name)
        #expect(others.count == 2)
        let mixed = client.filter { !names.contains($0.name) } + others
        #expect(try await Compiler.diagnostics(of: mixed, .swift5Complete).isEmpty)
    }

    private func sources(in folder: String) throws -> [SourceText] {
        let folder = PackageFolders.clientModes.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .map { SourceText(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
    }
}
