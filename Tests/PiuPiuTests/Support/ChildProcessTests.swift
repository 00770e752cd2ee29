#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    @Suite("Programs that tests run", .timeLimit(.minutes(10)))
    struct ChildProcessTests {
        @Test("The status, the signal and what is printed come back; what can't be run is an error")
        func run() async throws {
            let folder = try TemporaryFolder(), output = folder.file("output")
            let script = "echo \"$0 $1\"; echo complaint >&2; exit 3"
            #expect(try await ChildProcess.run("sh", ["-c", script, "a b", "Grüße"], output: output) == 3)
            #expect(output.content == "a b Grüße\ncomplaint\n")
            #expect(try await ChildProcess.run("sh", ["-c", "kill -9 $$"]) == -9)
            await #expect(throws: POSIXError.self) { try await ChildProcess.run("no-such-program", []) }
        }

        #if os(Linux)
            @Test("It inherits nothing but the standard streams")
            func descriptors() async throws {
                let folder = try TemporaryFolder(), output = folder.file("output")
                #expect(try await ChildProcess.run("sh", ["-c", "echo /proc/$$/fd/*"], output: output) == 0)
                let names = try #require(output.content).split(whereSeparator: \.isWhitespace)
                // The fourth at most is the folder that the shell reads.
                #expect(names.count <= 4, "\(names)")
            }
        #endif
    }
#endif
