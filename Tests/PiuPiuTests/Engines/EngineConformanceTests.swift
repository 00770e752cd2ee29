import EngineConformance
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

@Suite("The session engine: conformance", .timeLimit(.minutes(10)))
struct EngineConformanceTests {
    @Test("It does what every engine has to do", arguments: EngineConformance.checks)
    func conforms(check: EngineCheck) async throws {
        try await check.run { URLSessionEngine(configuration: .ephemeral) }
    }

    @Test func everyCheckHasANameOfItsOwn() {
        let names = (EngineConformance.checks + EngineConformance.deadlyAnswers + EngineConformance.onceChecks).map(
            \.name)
        #expect(Set(names).count == names.count)
    }
}

#if canImport(FoundationNetworking)
    @Suite("The engine over libcurl: conformance", .timeLimit(.minutes(10)))
    struct CurlEngineConformanceTests {
        @Test("It does what every engine has to do", arguments: EngineConformance.checks)
        func conforms(check: EngineCheck) async throws {
            try await check.run { makeCurlEngine() }
        }

        @Test(
            "Answers that crash a process in FoundationNetworking are typed errors",
            arguments: EngineConformance.deadlyAnswers)
        func survives(check: EngineCheck) async throws {
            try await check.run { makeCurlEngine() }
        }

        @Test("A request is sent twice only where that is allowed", arguments: EngineConformance.onceChecks)
        func sendsOnce(check: EngineCheck) async throws {
            try await check.run { makeCurlEngine() }
        }

        @Test("MEMORY: back-pressure from a slow reader stops the server")
        func backPressure() async throws {
            let server = try LoopbackServer.start(), count = 200_000_000
            server.handle(
                "GET", "/large",
                reply: LoopbackReply(steps: [
                    .head(status: 200, headers: [LoopbackHeader("Content-Length", "\(count)")]),
                    .countedPattern(count: count),
                ]))
            let dispatcher = URLRequestDispatcher(engine: makeCurlEngine())
            let body = try await dispatcher.streamFuture(from: server.request("/large")).value.data
            try await server.waitUntilSendingPauses(path: "/large")
            // What the system buffers on both sides of the connection, and a little here.
            #expect(server.bytesSent(path: "/large") < 40_000_000)
            var received = 0
            for try await chunk in body { received += chunk.count }
            #expect(received == count)
        }
    }

    /// An engine over libcurl, which is installed where these tests run.
    func makeCurlEngine(_ configuration: URLSessionConfiguration = .ephemeral) -> any TransferEngine {
        if let engine = CurlEngine(configuration: configuration) { return engine }
        Issue.record("There is no libcurl.")
        return URLSessionEngine(configuration: configuration)
    }

    /// The engine that a dispatcher has by default.
    func makeStandardEngine(_ configuration: URLSessionConfiguration) -> any TransferEngine {
        makeCurlEngine(configuration)
    }
#else
    /// The engine that a dispatcher has by default.
    func makeStandardEngine(_ configuration: URLSessionConfiguration) -> any TransferEngine {
        URLSessionEngine(configuration: configuration)
    }
#endif
