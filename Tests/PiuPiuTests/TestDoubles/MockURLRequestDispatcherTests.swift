import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The mock dispatcher", .timeLimit(.minutes(10)))
struct MockURLRequestDispatcherTests {
    private let request: URLRequest

    init() throws {
        request = URLRequest(url: try #require(URL(string: "https://example.com/greeting")), method: .get)
    }

    private func mock(
        delay: TimeInterval = 0, clock: any Clock<Duration> = ContinuousClock()
    ) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(delay: delay, clock: clock) { request in
            try Response.makeMockJSONResponse(with: request, encodable: ["hello"], statusCode: .created)
        }
    }

    @Test("It answers with what its closure makes, to awaiters and callbacks")
    func answers() async throws {
        let future = mock().dataFuture(from: request).makeHTTPResponse().decoded([String].self)
        let response = try await future.value
        #expect(response.data == ["hello"])
        #expect(response.statusCode == .created)
        let log = EventLog()
        _ = future.success { log("\($0.data)") }
        #expect(await log.all(1) == [#"["hello"]"#])
    }

    @Test("The delay is measured by the clock it is given")
    func delay() async throws {
        let clock = ManualClock(), log = EventLog()
        mock(delay: 2.5, clock: clock).dataFuture(from: request)
            .success { _ in log("success") }
            .send()
        await clock.sleepers()
        clock.advance(by: .seconds(2))
        #expect(log.events.isEmpty)
        clock.advance(by: .milliseconds(500))
        #expect(await log.all(1) == ["success"])
    }

    @Test("A cancellation ends the delay", arguments: [true, false])
    func cancel(byTask: Bool) async {
        let clock = ManualClock()
        let future = mock(delay: 60, clock: clock).dataFuture(from: request)
        let task = Task { try await future.value }
        await clock.sleepers()
        if byTask { task.cancel() } else { future.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(future.status == .cancelled)
    }

    @Test("UPDATES: two, and one if the closure throws")
    func updates() async {
        let log = EventLog()
        mock().dataFuture(from: request).decodedString()
            .updated { log("\($0.stage) \($0.progress.bytesReceived)") }
            .completion { log("completion") }
            .send()
        #expect(await log.all(3) == ["started 0", "received 9", "completion"])
        MockURLRequestDispatcher { _ in throw Mishap() }.dataFuture(from: request)
            .updated { log("\($0.stage)") }
            .error { log("\($0)") }
            .send()
        #expect(await log.all(5).suffix(2) == ["started", "Mishap(number: 0)"])
    }

    @Test("Without a closure there is no response")
    func noCallback() async {
        let mock = mock()
        mock.callback = nil
        await #expect(throws: ResponseError.noResponse) { try await mock.dataFuture(from: request).value }
    }

    @Test("VALUE: a constant mock can be changed after it was handed over, as the class of PiuPiu 1.x could")
    func changedAfterHandingOver() async throws {
        let clock = ManualClock(), log = EventLog(), mock = mock(clock: clock)
        let dispatcher: any DataDispatcher = mock
        let future = dispatcher.dataFuture(from: request)
        mock.callback = { Response.makeMockResponse(with: $0, jsonString: "later", statusCode: .ok) }
        mock.delay = 1
        future.decodedString().success { log($0.data) }.send()
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        #expect(await log.all(1) == ["later"])
    }

    @Test("Captures of a replaced closure may use the mock while they are released")
    func releaseOfClosure() {
        final class Owner: Sendable {
            let mock: MockURLRequestDispatcher, log: EventLog

            init(mock: MockURLRequestDispatcher, log: EventLog) {
                self.mock = mock
                self.log = log
            }

            deinit { log("gone, \(mock.callback == nil)") }
        }
        let log = EventLog(), mock = mock()
        do {
            let owner = Owner(mock: mock, log: log)
            mock.callback = { [owner] request in
                withExtendedLifetime(owner) {}
                return Response.makeMockResponse(with: request, statusCode: .ok)
            }
        }
        mock.callback = nil
        #expect(log.events == ["gone, true"])
    }

    @Test("A mock is changed and used from many tasks at once")
    func changedFromEverywhere() async throws {
        let mock = mock(), request = request
        try await withThrowingTaskGroup(of: StatusCode.self) { group in
            for number in 0..<50 {
                group.addTask {
                    mock.callback = { Response.makeMockResponse(with: $0, statusCode: .other(200 + number)) }
                    return try await mock.dataFuture(from: request).makeHTTPResponse().value.statusCode
                }
            }
            for try await status in group { #expect(status.type == .success) }
        }
    }

    @Test(
        "A delay that isn't a number, or is endless, causes no crash", arguments: [.nan, -1, .infinity, 1e300])
    func strangeDelays(delay: TimeInterval) async {
        let clock = ManualClock()
        let future = mock(delay: delay, clock: clock).dataFuture(from: request)
        if delay > 0 {
            future.send()
            await clock.sleepers()
            future.cancel()
            #expect(await future.ending == "cancelled")
        } else {
            #expect((try? await future.value) != nil)
        }
    }

    @Test("SYNC-START: the closure of dataFuture { } runs inside send(); nil cancels, a throw fails")
    func requestClosure() async {
        let log = EventLog(), mock = mock(), request = request
        let future = mock.dataFuture {
            log("request")
            return request
        }
        #expect(log.events.isEmpty, "COLD")
        future.success { _ in log("success") }.send()
        #expect(log.events.first == "request")
        #expect(await log.all(2) == ["request", "success"])
        #expect(await mock.dataFuture { nil }.ending == "cancelled")
        #expect(await mock.dataFuture { throw Mishap(number: 1) }.ending == "error Mishap(number: 1)")
    }

    @Test("VALUE: nobody has to retain a dispatcher")
    func value() async throws {
        func makeFuture() -> ResponseFuture<Response<String>> {
            MockURLRequestDispatcher { Response.makeMockResponse(with: $0, jsonString: "{}", statusCode: .ok) }
                .dataFuture { request }
                .decodedString()
        }
        #expect(try await makeFuture().value.data == "{}")
    }
}
