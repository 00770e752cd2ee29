import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// Three answers of a server crash the process inside FoundationNetworking, in every API of `URLSession`, and no
    /// library above it can prevent that. The documentation says so; these tests fail when it is no longer true.
    @Suite("The session engine: deadly answers", .timeLimit(.oneProcessAtATime))
    struct EngineDeadlyAnswerTests {
        @Test(
            "FoundationNetworking crashes the process", .oneProcessAtATime,
            arguments: ["trailers", "close-mid-head", "huge-length"])
        func deadly(name: String) async {
            let result = await #expect(processExitsWith: .failure) { [name] in
                try InheritedSockets.close()
                try await Self.load("/fault/\(name)")
            }
            guard case .signal = result?.exitStatus else {
                Issue.record("\(name) has not ended the process by a signal: \(String(describing: result?.exitStatus))")
                return
            }
        }

        @Test(.oneProcessAtATime) func aHarmlessAnswerDoesNot() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                try await Self.load("/text")
                try await Self.load("/fault/truncate")
            }
        }

        /// Loads something; a mere error is no reason for the process to end.
        private static func load(_ path: String) async throws {
            let server = try LoopbackServer.start()
            do {
                _ = try await URLSessionEngine(configuration: .ephemeral).load(server.url(path))
            } catch is TransferError {}
        }
    }
#endif
