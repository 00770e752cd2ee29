import Testing

@Suite("SENDABLE: misuse does not compile", .serialized, .timeLimit(.minutes(10)))
struct MisuseTests {
    @Test("The compiler refuses each misuse, at its line, with those words", arguments: try MisuseFile.all())
    func refused(_ file: MisuseFile) async throws {
        #expect(!(file.refusing + file.allowing).isEmpty, "the file names no mode")
        #expect(file.refusing.isEmpty == file.expectations.isEmpty)
        for mode in file.refusing {
            let diagnostics = try await Compiler.diagnostics(of: [file.source], mode)
            #expect(file.differences(from: diagnostics).isEmpty, "\(mode.rawValue)")
        }
        for mode in file.allowing {
            let diagnostics = try await Compiler.diagnostics(of: [file.source], mode)
            #expect(diagnostics.isEmpty, "\(mode.rawValue)")
        }
    }

    @Test("The positive control is allowed in every mode")
    func control() throws {
        let control = try #require(try MisuseFile.all().first { $0.source.name == "Control.swift" })
        #expect(Set(control.allowing) == Set(CompilerMode.allCases))
    }

    @Test("A diagnostic without its expectation, and an expectation without its diagnostic, are differences")
    func differences() throws {
        let file = try MisuseFile(
            name: "Example.swift", text: "// refused-in: swift6\n// expected-error: cannot find 'b'\nlet a = b\n")
        let right = Diagnostic.all(in: "/tmp/Example.swift:3:9: error: cannot find 'b' in scope\nnote: here")
        let wrongLine = Diagnostic.all(in: "/tmp/Example.swift:2:9: error: cannot find 'b' in scope")
        let nowhere = Diagnostic.all(in: "<unknown>:0: error: no such module 'PiuPiu'")
        #expect(file.differences(from: right).isEmpty)
        #expect(file.differences(from: []).count == 1)
        #expect(file.differences(from: wrongLine).count == 2)
        #expect(file.differences(from: right + nowhere).count == 1)
        #expect(throws: CompilerMode.UnknownMode.self) { try MisuseFile(name: "", text: "// refused-in: swift7") }
    }
}
