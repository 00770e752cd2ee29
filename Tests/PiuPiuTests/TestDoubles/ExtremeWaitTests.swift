import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Extreme waits of the doubles", .timeLimit(.minutes(10)))
struct ExtremeWaitTests {
    @Test("A wait for any number of requests, and for any time, ends no process")
    func extremes() async throws {
        let slow = MockAnswer.status(.ok).after(.seconds(5))
        let recorder = RecordingDispatcher(MockRouteTable(script: MockScript([slow])))
        let first = recorder.dataFuture(from: try fixtureRequest("https://example.com/a"))
        first.send()
        _ = try await recorder.sent(1)
        first.cancel()
        await #expect(throws: ExchangesMissingError.self) {
            try await recorder.sent(.max, within: .milliseconds(1))
        }
        #expect(try await recorder.sent(1, within: .seconds(Int64.max)).count == 1)
        let endless = MockRouteTable(script: MockScript([.status(.ok).after(.seconds(Int64.max))]))
        await #expect(throws: FutureError.self) {
            try await endless.dataFuture(from: fixtureRequest("https://example.com/a")).timeout(.milliseconds(1)).value
        }
    }
}
