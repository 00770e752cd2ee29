import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Hedged requests that are cancelled", .timeLimit(.minutes(10)))
struct HedgeCancellationTests {
    private let clock = ManualClock()
    private let server = AnsweringServer()

    /// Waits for `count` requests, and for the delay of another copy.
    private func comes(to count: Int) async {
        await server.sent.wait(for: count)
        await clock.sleepers()
    }

    @Test("HEDGE, UP, PROMPT: a cancellation ends each copy, however many there are", arguments: 1...3, [true, false])
    func cancellation(copies: Int, byTask: Bool) async throws {
        let future = server.dispatcher.hedged(.test(clock, copies: 3)).dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrError }
        for number in 1..<max(copies, 1) {
            await comes(to: number)
            clock.advance(by: .seconds(1))
        }
        await server.sent.wait(for: copies)
        if copies < 3 { await clock.sleepers() }
        if byTask { task.cancel() } else { future.cancel() }
        #expect(await task.value == "cancelled")
        #expect(Set(await server.cancelled.all(copies)).count == copies)
        await clock.noSleepers()
        clock.advance(by: .seconds(60))
        #expect(server.sent.events.count == copies)
    }

    @Test("HEDGE: a cancellation from below ends the exchange, and EARLY sends nothing")
    func cancellationBelow() async throws {
        let future = server.dispatcher.hedged(.test(clock)).dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrError }
        await comes(to: 1)
        server.answer(1, .cancelled)
        #expect(await task.value == "cancelled" && server.sent.events.count == 1)
        await clock.noSleepers()
        let early = server.dispatcher.hedged(.test(clock)).dataFuture(from: try request("GET"))
        early.cancel()
        #expect(await early.statusOrError == "cancelled" && server.sent.events.count == 1)
    }

    /// Answers the second copy, and does something when the first one is cancelled.
    private struct HandlingDispatcher: DataDispatcher {
        let sent = Counter(), gate = Gate()
        let handle: @Sendable () -> Void

        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            ResponseFuture { () async throws -> Response<Data?> in
                if sent.increment() == 1 {
                    await withTaskCancellationHandler {
                        await gate.pass()
                    } onCancel: {
                        handle()
                    }
                }
                return Response.makeMockResponse(with: urlRequest, statusCode: .ok)
            }
        }
    }

    @Test("PROMPT: the answer to a copy waits for no handler of the cancellation of another one")
    func handlerOfLoser() async throws {
        let future = Box<ResponseFuture<Response<Data?>>>(), log = EventLog(), get = try request("GET")
        let dispatcher = HandlingDispatcher {
            log(future.value?.status == .success ? "delivered" : "waiting")
        }
        future.value = dispatcher.hedged(.test(clock)).dataFuture(from: get)
        let task = Task { await future.value?.statusOrError }
        await dispatcher.gate.reached()
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        #expect(await task.value == "200")
        #expect(await log.all(1) == ["delivered"])
        dispatcher.gate.open()
        future.value = nil
    }

    @Test("PROMPT: deaf copies keep no caller waiting, when they lose and when all is cancelled")
    func deafCopies() async throws {
        let deaf = AnsweringServer(isDeaf: true), get = try request("GET")
        let dispatcher = deaf.dispatcher.hedged(.test(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await deaf.sent.wait(for: 1)
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        await deaf.sent.wait(for: 2)
        deaf.answer(2, .status(200))
        #expect(await task.value == "200")
        #expect(await deaf.cancelled.all(1) == ["1"])
        let other = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await deaf.sent.wait(for: 3)
        other.cancel()
        #expect(await other.value == "cancelled")
        deaf.answer(1, .status(200))
        deaf.answer(3, .status(200))
    }
}
