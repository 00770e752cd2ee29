import AsyncHTTPClientEngine
import EngineConformance
import PiuPiu
import Testing

@Suite("The engine over async-http-client: conformance", .timeLimit(.minutes(10)))
struct EngineConformanceTests {
    @Test("It does what every engine has to do", arguments: EngineConformance.checks)
    func conforms(check: EngineCheck) async throws {
        try await check.run { AsyncHTTPClientEngine() }
    }

    @Test("It survives what URLSession doesn't", arguments: EngineConformance.deadlyAnswers)
    func survives(check: EngineCheck) async throws {
        try await check.run { AsyncHTTPClientEngine() }
    }

    @Test("A request is sent twice only where that is allowed", arguments: EngineConformance.onceChecks)
    func sendsOnce(check: EngineCheck) async throws {
        try await check.run { AsyncHTTPClientEngine() }
    }
}
