import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Time limits and interim responses", .timeLimit(.minutes(10)))
struct InterimTimeTests {
    @Test("A server that sends interim responses isn't silent, and they aren't delivered")
    func interimResponses() async throws {
        let time = TransferTimeTests.ManualTime(), engine = TransferTimeTests.QuietEngine(), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        let request = URLRequest(url: try url("http://host/a"), timeoutInterval: 10)
        _ = driver.start(TransferRequest(request)) { log.append($0) }
        for status in [102, 103, 100] {
            time.advance(seconds: 9)
            engine.tell(.head(TransferHead(url: try url("http://host/a"), status: status), request: request))
        }
        time.advance(seconds: 9)
        #expect(log.all.isEmpty)
        time.advance(seconds: 1)
        guard case .failed(let error) = await log.untilTheEnd().last else {
            Issue.record("no failure")
            return
        }
        #expect((error as? TransferError)?.kind == .timedOut)
    }
}
