#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("The exit of a process during TLS handshakes", .timeLimit(.oneProcessAtATime))
    struct ProcessExitTests {
        @Test("A process may end at any time, also while connections of TLS are begun", .oneProcessAtATime)
        func exitInHandshake() async throws {
            for round in 0..<5 {
                await #expect(processExitsWith: .success, "round \(round)") {
                    try InheritedSockets.close()
                    // Each has a thread of its own, which reads the system's authorities before it says anything.
                    let engines = (0..<16).map { _ in CurlEngine(configuration: .ephemeral) }
                    let listener = try LocalListener(backlog: 64)
                    let port = UInt16(bigEndian: listener.address.sin_port)
                    let request = TransferRequest(URLRequest(url: try url("https://127.0.0.1:\(port)/")))
                    for engine in engines { _ = try #require(engine).start(request) { _ in } }
                    // Some threads are busy with that by now.
                    let connections = (0..<4).map { _ in listener.connection() }
                    withExtendedLifetime(connections) { exit(EXIT_SUCCESS) }
                }
            }
        }
    }
#endif
