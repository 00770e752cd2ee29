import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Hedging", .timeLimit(.minutes(10)))
struct HedgingTests {
    private let clock = ManualClock()
    private let server = AnsweringServer()

    private func start(_ policy: HedgePolicy, _ method: String = "GET") throws -> Task<String, Never> {
        let future = server.dispatcher.hedged(policy).dataFuture(from: try request(method))
        return Task { await future.statusOrError }
    }

    /// Waits for `count` requests, and for the delay of another copy.
    private func comes(to count: Int) async {
        await server.sent.wait(for: count)
        await clock.sleepers()
    }

    @Test(
        "HEDGE: after the delay a second copy is sent; its answer wins, and the first is cancelled",
        arguments: [RecordedExchange.Kind.data, .upload, .stream])
    func second(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder()
        let future = kind.text(of: try request("PUT"), by: server.dispatcher.hedged(.test(clock)), in: folder)
        let task = Task { try await future.value }
        await comes(to: 1)
        clock.advance(by: .milliseconds(999))
        await clock.sleepers()
        clock.advance(by: .milliseconds(1))
        await server.sent.wait(for: 2)
        await clock.noSleepers()
        server.answer(2, .status(200))
        #expect(try await task.value == "2")
        #expect(await server.cancelled.all(1) == ["1"] && server.sent.events.count == 2)
    }

    @Test("HEDGE, C1 KEY: a second copy joins not the late first, but another caller's second")
    func coalescing() async throws {
        let engine = DirectedEngine(), joined = CountingEngine(base: engine.coalescing()), get = try request("GET")
        let dispatcher = URLRequestDispatcher(engine: joined).hedged(.test(clock))
        let tasks = [1, 2].map { _ in
            let future = dispatcher.dataFuture(from: get)
            return Task { await future.statusOrError }
        }
        await clock.sleepers(2)
        // An exchange that has ended is joined by nobody.
        await joined.started(2)
        await engine.started(1)
        clock.advance(by: .seconds(1))
        await joined.started(4)
        await engine.started(2)
        engine.answer(1, status: 201)
        for task in tasks { #expect(await task.value == "201") }
        await engine.called(0, 1)
        #expect(engine.paths.count == 2 && engine.calls(0) == ["cancel"])
    }

    @Test("HEDGE: the first copy may win as well; after an answer in time no second one is sent")
    func first() async throws {
        let policy = HedgePolicy.test(clock), host = try url("https://example.com")
        let late = try start(policy)
        await comes(to: 1)
        clock.advance(by: .seconds(1))
        await server.sent.wait(for: 2)
        server.answer(1, .status(404))
        #expect(await late.value == "404")
        #expect(await server.cancelled.all(1) == ["2"])
        #expect(policy.budget?.tokens(for: host) == 487)
        let quick = try start(policy)
        await comes(to: 3)
        server.answer(3, .status(200))
        #expect(await quick.value == "200")
        await clock.noSleepers()
        #expect(server.sent.events.count == 3 && policy.budget?.tokens(for: host) == 488)
    }

    @Test("HEDGE: after a failure that R3 would retry, a copy goes at once", arguments: [true, false])
    func atOnce(isStatus: Bool) async throws {
        let task = try start(.test(clock))
        await comes(to: 1)
        server.answer(1, isStatus ? .status(503) : .broken(.connectionLost))
        await server.sent.wait(for: 2)
        await clock.noSleepers()
        server.answer(2, .status(200))
        #expect(await task.value == "200" && clock.now.offset == .zero)
    }

    @Test("HEDGE: if a copy fails, the other decides; if all fail, the last outcome counts")
    func failures() async throws {
        for (last, ending) in [(AnsweringServer.Answer.status(200), "200"), (.broken(.timedOut), "timedOut")] {
            for order in [[1, 2], [2, 1]] {
                let (server, clock) = (AnsweringServer(), ManualClock())
                let future = server.dispatcher.hedged(.test(clock)).dataFuture(from: try request("GET"))
                let log = EventLog()
                let task = Task { await future.onCompletion { log("end") }.statusOrError }
                await server.sent.wait(for: 1)
                await clock.sleepers()
                clock.advance(by: .seconds(1))
                await server.sent.wait(for: 2)
                server.answer(order[0], .status(502))
                server.answer(order[1], last)
                let end = await task.value
                // Both have answered, so the failing copy may end last.
                #expect(end == ending || ending == "timedOut" && end == "502")
                #expect(await log.all(1) == ["end"] && server.sent.events.count == 2)
            }
        }
    }

    @Test("HEDGE: an outcome that would be the same for each copy ends the exchange", arguments: [true, false])
    func final(isStatus: Bool) async throws {
        let task = try start(.test(clock))
        await comes(to: 1)
        clock.advance(by: .seconds(1))
        await server.sent.wait(for: 2)
        server.answer(2, isStatus ? .status(501) : .broken(.tooManyRedirects))
        #expect(await task.value == (isStatus ? "501" : "tooManyRedirects"))
        #expect(await server.cancelled.all(1) == ["1"])
    }

    @Test(
        "HEDGE: a copy for which there is no place is the last one, and leaves the others alone",
        arguments: [true, false])
    func noPlace(isAnswered: Bool) async throws {
        let copies = Telling(base: server.dispatcher)
        let future = copies.hedged(.test(clock, copies: 3)).dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrError }
        await comes(to: 1)
        clock.advance(by: .seconds(1))
        await comes(to: 2)
        server.answer(2, .broken(.tooManyStreams))
        await copies.ended.wait(for: 1)
        server.answer(1, isAnswered ? .status(200) : .broken(.tooManyStreams))
        #expect(await task.value == (isAnswered ? "200" : "tooManyStreams"))
        #expect(server.sent.events.count == 2 && server.cancelled.events.isEmpty)
    }

    @Test("HEDGE: five copies at most, one for each delay", arguments: [(3, 3), (5, 5), (100, 5)])
    func many(maximum: Int, count: Int) async throws {
        let task = try start(.test(clock, copies: maximum))
        for number in 1..<count {
            await comes(to: number)
            clock.advance(by: .seconds(1))
        }
        await server.sent.wait(for: count)
        await clock.noSleepers()
        server.answer(count, .status(200))
        #expect(await task.value == "200")
        #expect(Set(await server.cancelled.all(count - 1)).count == count - 1 && server.sent.events.count == count)
    }

    @Test("HEDGE: a failure restarts the delay")
    func delayAnew() async throws {
        let task = try start(.test(clock, copies: 3))
        await comes(to: 1)
        clock.advance(by: .milliseconds(600))
        server.answer(1, .status(500))
        await server.sent.wait(for: 2)
        await clock.sleepers()
        clock.advance(by: .milliseconds(999))
        await clock.sleepers()
        #expect(server.sent.events.count == 2)
        clock.advance(by: .milliseconds(1))
        await server.sent.wait(for: 3)
        server.answer(3, .status(200))
        #expect(await task.value == "200")
    }

    @Test("HEDGE: a server that asks for time gets no further copy")
    func retryAfter() async throws {
        let task = try start(.test(clock))
        await comes(to: 1)
        server.answer(1, .status(503, headers: ["Retry-After": "1"]))
        #expect(await task.value == "503")
        let other = try start(.test(clock))
        await comes(to: 2)
        server.answer(2, .status(503, headers: ["Retry-After": "0"]))
        await server.sent.wait(for: 3)
        server.answer(3, .status(200))
        #expect(await other.value == "200" && server.sent.events.count == 3)
        // A time that is over.
        let last = try start(.test(clock))
        await comes(to: 4)
        server.answer(4, .status(503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]))
        await server.sent.wait(for: 5)
        server.answer(5, .status(200))
        #expect(await last.value == "200" && server.sent.events.count == 5)
    }

    @Test("HEDGE, R5 RETRY-AFTER: a date counts from the policy's time of day")
    func dateOfPolicy() async throws {
        let date = MockAnswer.number(503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"])
        for (now, ending) in [(784_111_777, "503"), (784_111_787, "200")] {
            let server = scripted(date, .number(200))
            let policy = HedgePolicy(
                after: .seconds(1), clock: clock, now: { Date(timeIntervalSince1970: TimeInterval(now)) })
            #expect(await server.hedged(policy).dataFuture(from: try request("GET")).statusOrError == ending)
            #expect(server.exchanges.count == (ending == "503" ? 1 : 2))
        }
    }

    @Test("HEDGE, R5 RETRY-AFTER: nor while a retry in it waits for that time")
    func waitingRetry() async throws {
        let get = try request("GET"), url = try #require(get.url)
        for (time, isWaitedFor) in [("5", true), ("0", false)] {
            let server = AnsweringServer(), retries = ManualClock(), hedges = ManualClock(), budget = RetryBudget()
            var policy = HedgePolicy.test(hedges)
            policy.budget = budget
            let full = budget.tokens(for: url)
            let future = server.dispatcher.retrying(.fixed(retries)).hedged(policy).dataFuture(from: get)
            let task = Task { await future.statusOrError }
            await server.sent.wait(for: 1)
            await hedges.sleepers()
            server.answer(1, .status(503, headers: ["Retry-After": time]))
            await retries.sleepers()
            hedges.advance(by: .seconds(1))
            if isWaitedFor { await hedges.noSleepers() } else { await server.sent.wait(for: 2) }
            server.answer(2, .status(200))
            if isWaitedFor { retries.advance(by: .seconds(60)) }
            #expect(await task.value == "200" && server.sent.events.count == 2)
            #expect((budget.tokens(for: url) == full) == isWaitedFor)
        }
    }

    @Test("HEDGE, R5 RETRY-AFTER: a retry around copies waits for the time that any of them was told, once")
    func retryAfterOfCopy() async throws {
        let retries = ManualClock(), telling = Telling(base: server.dispatcher), get = try request("GET")
        let dispatcher = telling.hedged(.test(clock)).retrying(.fixed(retries))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await comes(to: 1)
        clock.advance(by: .seconds(1))
        await server.sent.wait(for: 2)
        server.answer(1, .status(503, headers: ["Retry-After": "5"]))
        await telling.ended.wait(for: 1)
        server.answer(2, .status(500))
        await retries.sleepers()
        #expect(retries.deadlines == [.milliseconds(5250)] && server.sent.events.count == 2)
        retries.advance(by: .milliseconds(5250))
        await server.sent.wait(for: 3)
        server.answer(3, .status(500))
        await retries.sleepers()
        #expect(retries.deadlines == [.milliseconds(5300)])
        retries.advance(by: .milliseconds(50))
        await server.sent.wait(for: 4)
        server.answer(4, .status(200))
        #expect(await task.value == "200")
    }

    @Test("HEDGE, R5 RETRY-AFTER: a retry in one copy waits for the time that another copy was told")
    func retryAfterOfOtherCopy() async throws {
        let retries = ManualClock(), get = try request("GET")
        let dispatcher = server.dispatcher.retrying(.fixed(retries)).hedged(.test(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await comes(to: 1)
        clock.advance(by: .seconds(1))
        await server.sent.wait(for: 2)
        server.answer(1, .status(503, headers: ["Retry-After": "5"]))
        await retries.sleepers()
        retries.advance(by: .seconds(1))
        server.answer(2, .broken(.connectionLost))
        await retries.sleepers(2)
        // Four of the five seconds are left, and half of a tenth of them comes on top.
        #expect(retries.deadlines == [.milliseconds(5200), .milliseconds(5250)])
        #expect(server.sent.events.count == 2)
        retries.advance(by: .milliseconds(4200))
        await server.sent.wait(for: 3)
        server.answer(3, .status(200))
        #expect(await task.value == "200")
    }

    @Test("HEDGE: what was refused here isn't sent again, and costs nothing")
    func refusals() async throws {
        let budget = RetryBudget(), get = try request("GET"), attempts = Counter()
        var policy = HedgePolicy.test(clock, copies: 5)
        policy.budget = budget
        let refusing = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    attempts.increment()
                    throw CircuitOpenError(retryAfter: .seconds(4), url: request.url)
                })
        ])
        await #expect(throws: CircuitOpenError.self) {
            _ = try await refusing.hedged(policy).dataFuture(from: get).value
        }
        #expect(attempts.value == 1)
        let url = try #require(get.url)
        #expect(budget.tokens(for: url) == RetryBudget().tokens(for: url))
    }

    /// Fails the second copy, and answers the first one after that, without an update.
    private struct SilentDispatcher: DataDispatcher, UploadDispatcher {
        let sent = Counter(), gate = Gate()

        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            let failed = ResponseFuture { () async throws -> Response<Data?> in
                if sent.increment() > 1 { throw TransferError(.untrustedAuthority) }
                try await gate.passUnlessCancelled()
                return Response.makeMockResponse(with: urlRequest, statusCode: .ok)
            }
            return failed.onFailure { _ in gate.open() }
        }

        func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
            dataFuture(from: urlRequest)
        }
    }

    @Test(
        "HEDGE: an error that every copy would get is final, also of a dispatcher that reports no updates",
        arguments: ["nothing", "validating", "retrying", "observed"])
    func silent(between: String) async throws {
        let get = try request("GET"), policy = HedgePolicy.test(clock), silent = SilentDispatcher()
        let dispatcher: any DataDispatcher =
            switch between {
            case "validating": silent.validating().hedged(policy)
            case "retrying": silent.retrying().hedged(policy)
            case "observed": silent.observed(by: ObservedEvents()).hedged(policy)
            default: silent.hedged(policy)
            }
        let task = Task { await dispatcher.dataFuture(from: get).statusOrStage }
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        #expect(await task.value == "untrustedAuthority")
    }

    @Test("On dispatchers of every type, and the texts")
    func existentials() async throws {
        let get = try request("GET"), folder = try TemporaryFolder(), policy = HedgePolicy.test(clock)
        func failing() -> RecordingDispatcher<MockRouteTable> { scripted(.number(500), .number(200)) }
        let data: any DataDispatcher = failing(), stream: any StreamDispatcher = failing()
        let upload: any UploadDispatcher = failing(), all: any RequestDispatcher = failing()
        let download: any DownloadDispatcher = failing()
        #expect(await data.hedged(policy).dataFuture(from: get).statusOrError == "200")
        #expect(await stream.hedged(policy).streamFuture(from: get).statusOrError == "200")
        #expect(await upload.hedged(policy).uploadFuture(from: get, with: Data()).statusOrError == "200")
        #expect(await all.hedged(after: .seconds(60)).dataFuture(from: get).statusOrError == "200")
        let file = folder.file("f")
        #expect(await download.hedged(policy).downloadFuture(from: get, to: file).statusOrError == "500")
        #expect("\(policy)" == "HedgePolicy(2 copies, after 1.0 seconds)")
        #expect(Mirror(reflecting: policy).children.isEmpty)
    }
}
