import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Retrying", .timeLimit(.minutes(10)))
struct RetryingTests {
    private let clock = SkippingClock()

    private func policy(attempts: Int = 3, fraction: Double = 0.5, now: TimeInterval = 0) -> RetryPolicy {
        var policy = RetryPolicy.fixed(clock, fraction: fraction, now: now)
        policy.maximumAttempts = attempts
        return policy
    }

    @Test("R1 COUNT: three attempts in all, for each kind of exchange", arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder(), get = try request("GET")
        let failing = scripted(.number(500))
        _ = await kind.text(of: get, by: failing.retrying(policy()), in: folder).ending
        #expect(failing.exchanges.map(\.kind) == [kind, kind, kind])
        let recovering = scripted(.broken(.connectionLost), .number(503), .text("text"))
        #expect(try await kind.text(of: get, by: recovering.retrying(policy()), in: folder).value == "text")
        #expect(recovering.exchanges.count == 3)
    }

    @Test(
        "R1 COUNT: as many attempts as configured, and at least one", arguments: [(5, 5), (1, 1), (0, 1), (Int.min, 1)])
    func counts(attempts: Int, expected: Int) async throws {
        let server = scripted(.number(500))
        let response = try await server.retrying(policy(attempts: attempts)).dataFuture(from: request("GET")).value
        #expect(response.head.status == 500 && response.earlierAttempts.count == expected - 1)
        #expect(server.exchanges.count == expected && clock.sleeps.count == expected - 1)
    }

    @Test("R1 COUNT, R4 JITTER: an exchange that succeeds is sent once, without waits or extra updates")
    func success() async throws {
        let server = scripted(.text("text"))
        let future = server.retrying(policy()).dataFuture(from: try request("GET"))
        #expect(await future.allUpdates.map(\.stage) == [.started, .received])
        let response = try await future.value
        #expect(response.data.text == "text" && response.earlierAttempts.isEmpty)
        #expect(server.exchanges.count == 1 && clock.sleeps.isEmpty)
    }

    @Test("R4 JITTER: a retry waits by the clock, with the generator's random numbers")
    func waits() async throws {
        let server = scripted(.number(500), .broken(.timedOut), .number(503), .number(429), .number(200))
        _ = try await server.retrying(policy(attempts: 9, fraction: 0.25)).dataFuture(from: request("GET")).value
        #expect(clock.sleeps == [12.5, 25, 1000, 2000].map { .milliseconds($0) })
        let still = SkippingClock()
        let eager = RetryPolicy.fixed(still, fraction: 0)
        _ = try await scripted(.number(500)).retrying(eager).dataFuture(from: request("GET")).value
        #expect(still.sleeps.isEmpty, "no wait is no sleep")
    }

    @Test("R5 RETRY-AFTER: the server's time is the minimum; beyond a minute the response is delivered")
    func retryAfter() async throws {
        let server = scripted(
            .number(503, headers: ["Retry-After": "10"]),
            .number(500, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]),
            .number(429, headers: ["Retry-After": "61"]), .number(200))
        let policy = policy(attempts: 9, now: 784_111_777 - 20)
        let response = try await server.retrying(policy).dataFuture(from: request("GET")).value
        #expect(response.head.status == 429 && response.earlierAttempts.count == 2)
        #expect(clock.sleeps == [.milliseconds(10_500), .milliseconds(20_500)])
    }

    @Test("R7 LAST: the last outcome counts, and carries the history of those before it")
    func history() async throws {
        let server = scripted(.number(502), .broken(.timedOut), .number(503))
        let dispatcher = server.retrying(policy()), get = try request("GET")
        let response = try await dispatcher.dataFuture(from: get).value
        #expect(response.head.status == 503)
        let texts = [
            "attempt 1: 502, the next after 0.025 seconds", "attempt 2: timedOut, the next after 0.05 seconds",
        ]
        #expect(response.earlierAttempts.map(\.description) == texts)
        try #require(response.earlierAttempts.map(\.number) == [1, 2])
        #expect(response.earlierAttempts[0].statusCode == .badGateway && response.earlierAttempts[0].error == nil)
        #expect((response.earlierAttempts[1].error as? TransferError)?.kind == .timedOut)
        #expect(response.earlierAttempts[1].head == nil)
        let again = scripted(.number(502), .broken(.timedOut), .number(503)).retrying(policy())
        let error = await #expect(throws: UnacceptableStatusError.self) {
            _ = try await again.dataFuture(from: get).validated().value
        }
        #expect(error?.statusCode == .serviceUnavailable && error?.earlierAttempts.map(\.description) == texts)
        let http = try await scripted(.number(502), .text("1")).retrying(policy()).dataFuture(from: get)
            .makeHTTPResponse().decoded(Int.self).value
        #expect(http.data == 1 && http.earlierAttempts.count == 1)
    }

    @Test("R7 LAST: an error reports the attempts before it; a user's own error is thrown unchanged")
    func errors() async throws {
        let get = try request("GET")
        let failing = scripted(.number(500), .number(503), .broken(.connectionLost)).retrying(policy())
        let error = await #expect(throws: TransferError.self) { _ = try await failing.dataFuture(from: get).value }
        #expect(error?.kind == .connectionLost && error?.earlierAttempts.map(\.statusCode?.rawValue) == [500, 503])
        #expect(error?.earlierAttempts.map(\.delay) == [.milliseconds(25), .seconds(1)])
        let mishap = scripted(.number(500), .failure(Mishap(number: 7))).retrying(policy())
        await #expect(throws: Mishap(number: 7)) { _ = try await mishap.dataFuture(from: get).value }
        // The first attempt isn't retried, so there is no history.
        let lone = await #expect(throws: TransferError.self) {
            _ = try await scripted(.broken(.bodyTooLarge)).retrying(policy()).dataFuture(from: get).value
        }
        #expect(lone?.earlierAttempts.isEmpty == true)
    }

    @Test("R11 FRESH: each retry is an update, and the progress starts over", arguments: RecordedExchange.Kind.allCases)
    func updates(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder()
        let dispatcher = scripted(.text("long text", status: .badGateway), .broken(.truncated), .text("text"))
            .retrying(policy())
        let updates = await kind.text(of: try request("GET"), by: dispatcher, in: folder).allUpdates
        let stages: [TransferUpdate.Stage] = [
            .started, .received, .retrying(attempt: 2, after: .milliseconds(25)),
            .started, .retrying(attempt: 3, after: .milliseconds(50)), .started, .received,
        ]
        #expect(updates.map(\.stage) == stages)
        #expect(updates.map(\.progress.bytesReceived) == [0, 9, 0, 0, 0, 0, 4])
    }

    @Test("TURN: all retries that wait for a slow consumer are one step")
    func slowConsumer() {
        var line = UpdateLine(), kept: [TransferUpdate.Stage] = []
        for attempt in 2...5000 { line.append(TransferUpdate(stage: .retrying(attempt: attempt, after: .zero))) }
        while let update = line.popFirst() { kept.append(update.stage) }
        #expect(kept.count <= UpdateLine.limit && kept.last == .retrying(attempt: 5000, after: .zero))
    }

    @Test("COLD, ONCE: nothing is sent before the start, and callbacks and awaiters share the attempts")
    func shared() async throws {
        let server = scripted(.number(500), .text("text")), log = EventLog()
        let future = server.retrying(policy()).dataFuture(from: try request("GET"))
        #expect(server.exchanges.isEmpty)
        future.success { log($0.data.text ?? "") }.send()
        async let first = future.value, second = future.value
        #expect(try await [first.data.text, second.data.text] == ["text", "text"])
        #expect(await log.all(1) == ["text"] && server.exchanges.count == 2)
    }

    @Test("Attempts go through a route table, a recorder and a replayer alike")
    func doubles() async throws {
        let recorder = scripted(.number(500), .number(503), .text("text"))
        let outer = RecordingDispatcher(recorder.retrying(policy())), get = try request("GET")
        #expect(try await outer.dataFuture(from: get).value.data.text == "text")
        #expect(outer.exchanges.count == 1 && recorder.exchanges.count == 3)
        let replayer = RecordingDispatcher(ReplayingDispatcher(recorder.recording()))
        #expect(try await replayer.retrying(policy()).dataFuture(from: get).value.data.text == "text")
        #expect(replayer.exchanges.count == 3)
    }
}
