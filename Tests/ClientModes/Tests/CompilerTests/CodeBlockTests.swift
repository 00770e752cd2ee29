import Testing

@Suite("The code of the documentation compiles", .serialized, .timeLimit(.minutes(10)))
struct CodeBlockTests {
    @Test("Each block of README, Migration and the articles compiles", arguments: try CodeBlock.all())
    func compiles(_ block: CodeBlock) async throws {
        let blocks = try Self.blocks(with: block)
        // The modes at once, each in a process of the compiler.
        try await withThrowingTaskGroup(of: (CompilerMode, [Diagnostic]).self) { group in
            for mode in try Prelude(of: block).modes {
                group.addTask {
                    let sources = blocks.map { $1.source(of: $0, in: mode) }
                    return try await (
                        mode,
                        Compiler.diagnostics(of: sources, mode, allowing: ["no-usage", "DeprecatedDeclaration"])
                    )
                }
            }
            for try await (mode, diagnostics) in group { #expect(diagnostics.isEmpty, "\(mode.rawValue)") }
        }
    }

    /// A block, and those whose code it uses.
    private static func blocks(with block: CodeBlock) throws -> [(CodeBlock, Prelude)] {
        let prelude = try Prelude(of: block), all = try CodeBlock.all()
        var blocks = [(block, prelude)]
        for name in prelude.companions where name != block.name {
            let path = name.contains("/") ? name : "\(block.document)/\(name)"
            let companion = try #require(all.first { "\($0.document)/\($0.name)" == path }, "no block \(path)")
            blocks.append((companion, try Prelude(of: companion)))
        }
        return blocks
    }

    @Test("Each step of the tutorial compiles", arguments: try TutorialStep.all(), [CompilerMode.swift5, .swift6])
    func steps(_ step: TutorialStep, _ mode: CompilerMode) async throws {
        #expect(try step.importsWhatItUses)
        let diagnostics = try await Compiler.diagnostics(of: try step.sources, mode)
        #expect(diagnostics.isEmpty)
    }

    @Test(
        "Some block needs the word nonisolated before the names that a prelude lists for it",
        arguments: try CodeBlock.all().filter { try !Prelude(of: $0).nonisolatedNames.isEmpty })
    func nonisolatedNames(_ block: CodeBlock) async throws {
        let prelude = try Prelude(of: block)
        #expect(prelude.source(of: block, in: .swift6).text != prelude.source(of: block, in: .swift6MainActor).text)
        for user in try CodeBlock.all() {
            let blocks = try Self.blocks(with: user)
            guard blocks.contains(where: { $0.0.document == block.document && $0.0.name == block.name }) else {
                continue
            }
            let sources = blocks.map { $1.source(of: $0, in: .swift6) }
            if try await !Compiler.diagnostics(of: sources, .swift6MainActor, allowing: ["no-usage"]).isEmpty { return }
        }
        Issue.record("none does")
    }

    @Test("A block that doesn't compile is found, at its line in the document")
    func broken() async throws {
        let text = "# A *b* (c)\n```\nnot swift\n```\n```swift\nlet a = 1\nlet b: Int = \"\"\n```\n"
        let blocks = CodeBlock.blocks(in: text, document: "README")
        #expect(blocks.map(\.name) == ["a-b-c-1"] && blocks.map(\.line) == [6])
        let prelude = try Prelude(text: "import PiuPiu\n// snippet\n")
        let source = prelude.source(of: try #require(blocks.first), in: .swift6)
        let diagnostics = try await Compiler.diagnostics(of: [source], .swift6)
        #expect(diagnostics.map(\.line) == [7] && diagnostics.map(\.file) == ["README.md"])
    }

    @Test("A deprecated name doesn't hide a race")
    func raceBesideDeprecation() async throws {
        let text = """
            import PiuPiu
            final class Counter { var count = 0 }
            func count(_ counter: Counter, _ future: ResponseFuture<Int>) {
                future.response { print($0) }.send()
                Task { counter.count += 1 }
                counter.count += 1
            }
            """
        let source = SourceText(name: "Race.swift", text: text)
        let diagnostics = try await Compiler.diagnostics(of: [source], .swift6, allowing: ["DeprecatedDeclaration"])
        #expect(diagnostics.map(\.line) == [5])
    }

    @Test("A marker names a block")
    func marker() {
        let text = "# A\n<!-- snippet: first -->\n\n```swift\n```\n```swift\n```\n"
        #expect(CodeBlock.blocks(in: text, document: "README").map(\.name) == ["first", "a-2"])
    }
}
