#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing

    #if canImport(Glibc)
        import Glibc
    #endif

    @Suite("Programs that tests run", .timeLimit(.minutes(10)))
    struct ChildProcessTests {
        @Test("The status, the signal and the output are returned; a missing program is an error")
        func run() async throws {
            let folder = try TemporaryFolder(), output = folder.file("output")
            let script = "echo \"$0 $1\"; echo complaint >&2; exit 3"
            #expect(try await ChildProcess.run("sh", ["-c", script, "a b", "Grüße"], output: output) == 3)
            #expect(output.content == "a b Grüße\ncomplaint\n")
            #expect(try await ChildProcess.run("sh", ["-c", "kill -9 $$"]) == -9)
            await #expect(throws: POSIXError.self) { try await ChildProcess.run("no-such-program", []) }
        }

        #if os(Linux)
            @Test("A child process inherits no descriptors of other tests")
            func descriptors() async throws {
                let folder = try TemporaryFolder(), output = folder.file("output")
                // A number that the shell doesn't use itself.
                let descriptor = fcntl(2, F_DUPFD, 200)
                defer { close(descriptor) }
                #expect(descriptor >= 200)
                #expect(try await ChildProcess.run("sh", ["-c", "echo /proc/$$/fd/*"], output: output) == 0)
                let names = try #require(output.content).split(whereSeparator: \.isWhitespace)
                #expect(names.contains { $0.hasSuffix("/1") } && !names.contains { $0.hasSuffix("/\(descriptor)") })
            }
        #endif
    }
#endif
