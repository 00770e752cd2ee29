import EngineConformance
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
        let names = (EngineConformance.checks + EngineConformance.deadlyAnswers).map(\.name)
        #expect(Set(names).count == names.count)
    }
}
