import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Returns the same future to every caller.
private struct Sharing: DataDispatcher {
    let future: ResponseFuture<Response<Data?>>

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> { future }
}

@Suite("Deadlines", .timeLimit(.minutes(10)))
struct DeadlineTests {
    private let clock = ManualClock()
    private let server = Waiting()

    @Test("D1 TOTAL, D2 PROMPT: futures of each kind end at the instant", arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder(), log = EventLog()
        let dispatcher = server.dispatcher.deadline(.seconds(5), clock: clock)
        let future = kind.text(of: try request("PUT"), by: dispatcher, in: folder)
            .onCancellation { log("cancelled") }.onFailure { _ in log("error") }
        let task = Task { await future.stageOrEnding }
        await server.gate.reached()
        await clock.sleepers()
        clock.advance(by: .milliseconds(4999))
        await clock.sleepers()
        clock.advance(by: .milliseconds(1))
        #expect(await task.value == "5.0 seconds connecting")
        await server.cancelled.opened()
        #expect(await log.all(1) == ["error"] && server.sent.value == 1)
    }

    @Test("D2 PROMPT: even deaf work ends, however the future is retained", arguments: Holding.allCases)
    func deafWork(holding: Holding) async throws {
        let deaf = Waiting(isDeaf: true), keeper = Keeper<Response<Data?>>(holding)
        let dispatcher = deaf.dispatcher.deadline(.seconds(5), clock: clock), get = try request("GET")
        let awaiting = Awaiting(running: { await keeper.keep(dispatcher.dataFuture(from: get)).statusOrStage })
        await deaf.gate.reached()
        await clock.sleepers()
        clock.advance(by: .seconds(5))
        #expect(await awaiting.ending == "value 5.0 seconds connecting")
        await deaf.cancelled.opened()
        deaf.gate.open()
    }

    @Test("D2 PROMPT: the error names the request without its secrets, and is no cancellation")
    func error() async throws {
        let get = try request("GET", "https://user:word@example.com/a?token=secret")
        let future = server.dispatcher.deadline(.zero).dataFuture(from: get)
        let error = try await #require(throws: DeadlineExceeded.self) { _ = try await future.value }
        #expect(error == DeadlineExceeded(get, limit: .zero, stage: .waiting) && error.url == get.url)
        #expect(!error.isCancellation && error.method == "GET")
        #expect(
            error.localizedDescription
                == "The deadline of 0.0 seconds was over while GET https://example.com/a?… was waiting to be sent.")
        #expect(
            await future.recover { _ in Response.makeMockResponse(with: get, statusCode: .ok) }.statusOrStage == "200")
    }

    @Test("An answer in time is delivered, and the timer is gone", arguments: RecordedExchange.Kind.allCases)
    func inTime(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder()
        let dispatcher = server.dispatcher.deadline(.seconds(5), clock: clock)
        let future = kind.text(of: try request("GET"), by: dispatcher, in: folder)
        let task = Task { try await future.value }
        await clock.sleepers()
        server.gate.open()
        #expect(try await task.value == "text")
        await clock.noSleepers()
        #expect(
            await kind.text(of: try request("GET"), by: dispatcher, in: folder).allUpdates.map(\.stage) == [
                .started, .received,
            ])
    }

    @Test("D1 TOTAL, COLD: the time begins when the future is started")
    func cold() async throws {
        let future = server.dispatcher.deadline(.seconds(5), clock: clock).dataFuture(from: try request("GET"))
        clock.advance(by: .seconds(100))
        let task = Task { await future.statusOrStage }
        await clock.sleepers()
        clock.advance(by: .seconds(4))
        server.gate.open()
        #expect(await task.value == "200")
    }

    @Test("D3 NOTHING: without time nothing is sent, of any kind", arguments: RecordedExchange.Kind.allCases)
    func noTime(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder(), get = try request("GET")
        for limit in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
            let dispatcher = server.dispatcher.deadline(limit, clock: clock)
            #expect(await kind.text(of: get, by: dispatcher, in: folder).stageOrEnding == "\(limit) waiting")
        }
        #expect(server.sent.value == 0)
    }

    @Test("A limit beyond the range of clocks counts as none")
    func longLimits() async throws {
        server.gate.open()
        for limit in [Duration.seconds(Int64.max), .seconds(1e18)] {
            let dispatcher = server.dispatcher.deadline(limit).deadline(limit, clock: clock)
            #expect(await dispatcher.dataFuture(from: try request("GET")).statusOrStage == "200")
        }
    }

    @Test("D2 PROMPT: a late failure becomes the missed deadline; a late response is delivered")
    func lateFailure() async throws {
        let sleepy = SleepyClock(), get = try request("GET")
        let late = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    sleepy.advance(by: .seconds(5))
                    if request.httpMethod == "GET" { throw TransferError(.timedOut) }
                    return Response.makeMockResponse(with: request, statusCode: .ok)
                })
        ]).deadline(.seconds(5), clock: sleepy)
        #expect(await late.dataFuture(from: get).statusOrStage == "5.0 seconds connecting")
        #expect(await late.dataFuture(from: try request("PUT")).statusOrStage == "200")
        let early = scripted(.broken(.timedOut)).deadline(.seconds(5), clock: sleepy)
        #expect(await early.dataFuture(from: get).statusOrStage == "timedOut")
    }

    @Test(
        "A cancellation, by the task or by the future, stays one and leaves nothing behind", arguments: [true, false])
    func cancellation(byTask: Bool) async throws {
        let future = server.dispatcher.deadline(.seconds(5), clock: clock).dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrStage }
        await server.gate.reached()
        await clock.sleepers()
        if byTask { task.cancel() } else { future.cancel() }
        #expect(await task.value == "cancelled")
        await server.cancelled.opened()
        await clock.noSleepers()
        let other = scripted(.failure(CancellationError())).deadline(.seconds(5), clock: clock)
        #expect(await other.dataFuture(from: try request("GET")).statusOrStage == "cancelled")
        let early = server.dispatcher.deadline(.seconds(5), clock: clock).dataFuture(from: try request("GET"))
        early.cancel()
        #expect(await early.statusOrStage == "cancelled" && server.sent.value == 1)
    }

    @Test("D2 PROMPT: deadlines end by real time, even after many that were removed", arguments: [false, true])
    func realTime(laterFirst: Bool) async throws {
        let get = try request("GET"), quick = scripted(.text("text")).deadline(.seconds(3600))
        let limits = laterFirst ? [60, 30, 1] : [1, 30, 60]
        let tasks = limits.map { limit in
            // A cancelled one opens its gate.
            let future = Waiting().dispatcher.deadline(.milliseconds(limit)).dataFuture(from: get)
            return Task {
                // The stage depends on the speed of the machine.
                let error = await #expect(throws: DeadlineExceeded.self) { _ = try await future.value }
                #expect(error?.limit == .milliseconds(limit))
            }
        }
        for _ in 0..<100 { #expect(await quick.dataFuture(from: get).statusOrStage == "200") }
        for task in tasks { await task.value }
    }

    @Test("D2 PROMPT: no deadline waits for a handler of a cancellation that another one has caused")
    func blockingHandler() async {
        let log = EventLog(), mayReturn = DispatchSemaphore(value: 0)
        // It is there first, so that one task sleeps for both. On a slow machine it may fire before the other one, which
        // makes no difference.
        _ = DeadlineAlarm(at: .now.advanced(by: .milliseconds(200))) { _ in
            log("later one")
            mayReturn.signal()
        }
        // As the deadline of work with such a handler. It gives up, so that a broken alarm fails and doesn't hang.
        _ = DeadlineAlarm(at: .now) { _ in
            _ = mayReturn.wait(timeout: .now() + 300)
            log("blocking one")
        }
        #expect(await log.all(2) == ["later one", "blocking one"])
    }

    @Test("D2 PROMPT: no task of the pool waits for what a deadline by another clock ends")
    func handlerOfAnotherClock() async {
        let isInTask = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            _ = DeadlineAlarm(after: {}) { _ in
                continuation.resume(returning: withUnsafeCurrentTask { $0 != nil })
            }
        }
        #expect(!isInTask)
    }

    @Test("A clock that can't sleep fails the exchange")
    func brokenClock() async throws {
        struct Broken: Clock {
            struct Failure: Error {}
            var now: ContinuousClock.Instant { .now }
            var minimumResolution: Duration { .zero }
            func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw Failure() }
        }
        let future = server.dispatcher.deadline(.seconds(5), clock: Broken()).dataFuture(from: try request("GET"))
        await #expect(throws: Broken.Failure.self) { _ = try await future.value }
    }

    @Test("SHARED: a deadline doesn't end a future that another awaiter needs")
    func shared() async throws {
        let future = server.dispatcher.dataFuture(from: try request("GET"))
        let stays = Task { await future.statusOrStage }
        await server.gate.reached()
        let limited = Sharing(future: future).deadline(.seconds(5), clock: clock).dataFuture(from: try request("GET"))
        let leaves = Task { await limited.statusOrStage }
        await clock.sleepers()
        clock.advance(by: .seconds(5))
        // The future had started before, and latecomers get no earlier updates.
        #expect(await leaves.value == "5.0 seconds waiting")
        server.gate.open()
        #expect(await stays.value == "200")
    }

    @Test("What arrived of a stream in time can be read after the deadline")
    func readLater() async throws {
        let dispatcher = scripted(.text("text")).deadline(.seconds(5), clock: clock)
        let response = try await dispatcher.streamFuture(from: try request("GET")).value
        clock.advance(by: .seconds(5))
        #expect(try await response.data.reduce(0) { $0 + $1.count } == 4)
        await clock.noSleepers()
    }

    @Test("The updates determine the stage")
    func stages() {
        func stage(_ stage: TransferUpdate.Stage, _ sent: Int64 = 0, of expected: Int64? = nil)
            -> DeadlineExceeded.Stage
        {
            let progress = TransferProgress(bytesSent: sent, bytesExpectedToSend: expected)
            let update = TransferUpdate(stage: stage, progress: progress)
            return DeadlineExceeded.Stage(after: TransferStep(of: update))
        }
        #expect(stage(.started) == .connecting && stage(.sent, 5, of: 6) == .sending)
        #expect(stage(.sent, 6, of: 6) == .responding && stage(.sent, 6) == .sending)
        #expect(stage(.responded) == .receiving && stage(.received) == .receiving)
        #expect(stage(.retrying(attempt: 2, after: .zero)) == .waiting)
    }

    @Test("On dispatchers of every type")
    func existentials() async throws {
        let get = try request("GET"), server = server.dispatcher, folder = try TemporaryFolder()
        let data: any DataDispatcher = server, stream: any StreamDispatcher = server
        let upload: any UploadDispatcher = server, download: any DownloadDispatcher = server
        let all: any RequestDispatcher = server
        #expect(await data.deadline(.zero).dataFuture(from: get).statusOrStage == "0.0 seconds waiting")
        #expect(await stream.deadline(.zero).streamFuture(from: get).statusOrStage == "0.0 seconds waiting")
        #expect(
            await upload.deadline(.zero).uploadFuture(from: get, with: Data()).statusOrStage == "0.0 seconds waiting")
        #expect(
            await download.deadline(.zero).downloadFuture(from: get, to: folder.file("f")).statusOrStage
                == "0.0 seconds waiting")
        #expect(await all.deadline(.zero).dataFuture(from: get).statusOrStage == "0.0 seconds waiting")
        #expect("\(server.deadline(.seconds(5)))" == "PolicyDispatcher(MockRouteTable, DeadlinePolicy)")
        #expect("\(DeadlinePolicy(.seconds(5)))" == "DeadlinePolicy(5.0 seconds)")
    }
}
