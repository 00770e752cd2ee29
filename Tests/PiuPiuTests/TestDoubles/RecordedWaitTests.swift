import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Waits for recorded requests", .timeLimit(.minutes(10)))
struct RecordedWaitTests {
    private let recorder = RecordingDispatcher(MockRouteTable(script: MockScript([.text("text")])))

    private func send(_ path: String) async throws {
        _ = try await recorder.dataFuture(from: URLRequest(url: url("https://example.com/" + path))).value
    }

    @Test("A condition is asked about what has changed, and not each time about all requests")
    func rareCondition() async throws {
        let recorder = recorder, count = 30
        // The requests that the condition was asked about, once they had ended.
        let asked = Watched<[String]>([])
        let waiting = Task {
            try await recorder.ended { exchange in
                let path = exchange.urlRequest.url?.path() ?? ""
                asked.withLock { $0.append(path) }
                return path == "/rare"
            }
        }
        for number in 0..<count {
            try await send("\(number)")
            await asked.wait { $0.contains("/\(number)") }
        }
        try await send("rare")
        #expect(try await waiting.value.map(\.urlRequest.url?.lastPathComponent) == ["rare"])
        // At most twice for the changes of each, and once for the result.
        #expect(asked.withLock { $0.count } <= 3 * (count + 1))
    }

    @Test("A wait that begins late, and one that sees requests end in another order, return each as it is")
    func states() async throws {
        let clock = ManualClock()
        let script = MockScript([.text("a").after(.seconds(2)), .text("b").after(.seconds(1)), .text("c")])
        let recorder = RecordingDispatcher(MockRouteTable(clock: clock, script: script))
        let request = URLRequest(url: try url("https://example.com/"))
        let early = Task { try await recorder.ended(2).map(\.responseData.text) }
        for number in 1...2 {
            recorder.dataFuture(from: request).send()
            await clock.sleepers(number)
        }
        clock.advance(by: .seconds(1))
        #expect(try await recorder.ended().map(\.responseData.text) == [nil, "b"])
        clock.advance(by: .seconds(1))
        #expect(try await early.value == ["a", "b"])
        _ = try await recorder.dataFuture(from: request).value
        #expect(try await recorder.ended(3).map(\.responseData.text) == ["a", "b", "c"])
    }
}
