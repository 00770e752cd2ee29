import TestSupport
import Testing

@Suite("The line of tests that start a process", .timeLimit(.oneProcessAtATime))
struct OneProcessAtATimeTests {
    @Test("A test whose time is over leaves the line, and the next one gets its turn")
    func cancelled() async throws {
        let test = try #require(Test.current), trait = OneProcessAtATime.oneProcessAtATime
        try await trait.provideScope(for: test, testCase: nil) {
            let waiting = Task { try await trait.provideScope(for: test, testCase: nil) {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try await trait.provideScope(for: test, testCase: nil) {}
    }
}
