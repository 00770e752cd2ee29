import Dispatch
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

/// Everything here happens while work that ignores cancellation is in flight.
@Suite("PROMPT: work that ignores cancellation keeps no awaiter waiting", .timeLimit(.minutes(10)))
struct PromptTests {
    private let winner = Gate()

    /// Runs a test with deaf work and a keeper; the work ends with the test.
    private func withDeafPart(
        _ kind: DeafWork.Kind, _ holding: Holding, _ body: (DeafWork, Keeper<Int>) async throws -> Void
    ) async rethrows {
        let deaf = DeafWork(kind), keeper = Keeper<Int>(holding)
        defer { deaf.release() }
        try await body(deaf, keeper)
    }

    private func winning() -> ResponseFuture<Int> {
        ResponseFuture { [winner] in
            try await winner.passUnlessCancelled()
            return 2
        }
    }

    private func failing() -> ResponseFuture<Int> {
        ResponseFuture { [winner] in
            try await winner.passUnlessCancelled()
            throw Mishap(number: 3)
        }
    }

    @Test("PROMPT: a race ends with its first outcome", arguments: DeafWork.Kind.allCases, Holding.allCases)
    func race(kind: DeafWork.Kind, holding: Holding) async {
        await withDeafPart(kind, holding) { deaf, keeper in
            let task = Awaiting { [self] in ResponseFuture.race([keeper.keep(deaf.future()), winning()]) }
            await deaf.reached()
            winner.open()
            #expect(await task.ending == "value 2")
            await keeper.cancelled()
        }
    }

    @Test("PROMPT: a race ends with its first failure", arguments: DeafWork.Kind.allCases, Holding.allCases)
    func lostRace(kind: DeafWork.Kind, holding: Holding) async {
        await withDeafPart(kind, holding) { deaf, keeper in
            let task = Awaiting { [self] in ResponseFuture.race(failing(), keeper.keep(deaf.future())) }
            await deaf.reached()
            winner.open()
            #expect(await task.ending == "error Mishap(number: 3)")
        }
    }

    @Test("PROMPT: a sent race ends with its first outcome", arguments: DeafWork.Kind.allCases, Holding.allCases)
    func sentRace(kind: DeafWork.Kind, holding: Holding) async {
        await withDeafPart(kind, holding) { deaf, keeper in
            let log = EventLog()
            ResponseFuture.race([keeper.keep(deaf.future()), winning()])
                .success { log("success \($0)") }.completion { log("completion") }.send()
            await deaf.reached()
            winner.open()
            #expect(await log.all(2) == ["success 2", "completion"])
        }
    }

    @Test("PROMPT: firstSuccess ends with the first success", arguments: DeafWork.Kind.allCases, Holding.allCases)
    func firstSuccess(kind: DeafWork.Kind, holding: Holding) async {
        await withDeafPart(kind, holding) { deaf, keeper in
            let task = Awaiting { [self] in
                ResponseFuture.firstSuccess(of: [failing(), keeper.keep(deaf.future()), winning()])
            }
            await deaf.reached()
            winner.open()
            #expect(await task.ending == "value 2")
        }
    }

    @Test("PROMPT: a race can time out deaf work", arguments: DeafWork.Kind.allCases, Holding.allCases)
    func timeout(kind: DeafWork.Kind, holding: Holding) async {
        await withDeafPart(kind, holding) { deaf, keeper in
            let clock = ManualClock()
            let task = Awaiting {
                ResponseFuture.race(
                    keeper.keep(deaf.future()),
                    ResponseFuture<Int> { () async throws -> Int in
                        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(5)), tolerance: nil)
                        throw Mishap(number: 5)
                    })
            }
            await deaf.reached()
            await clock.sleepers()
            clock.advance(by: .seconds(5))
            #expect(await task.ending == "error Mishap(number: 5)")
        }
    }

    /// The joins of two or any number, and futures made from them.
    enum JoinForm: CaseIterable, Sendable {
        case join, joined, zip, parallelJoin, array, set, adding

        func future(_ deaf: consuming ResponseFuture<Int>, _ other: consuming ResponseFuture<Int>) -> ResponseFuture<
            Int
        > {
            switch self {
            case .join: return (consume deaf).join(consume other).then { $0 + $1 }
            case .joined: return (consume other).join(consume deaf).then { $0 + $1 }
            case .zip: return ResponseFuture.zip(consume deaf, consume other).then { $0 + $1 }
            case .parallelJoin:
                let deaf = consume deaf
                return (consume other).parallelJoin { deaf }.then { $0 + $1 }
            case .array: return ResponseFuture<[Int]>(childFutures: [consume deaf, consume other]).then { $0.count }
            case .set: return ResponseFuture<Set<Int>>(childFutures: [consume other, consume deaf]).then { $0.count }
            case .adding:
                let deaf = consume deaf
                return (consume other).then { [$0] }.addingParallelResult { deaf }.then { $0.count }
            }
        }
    }

    @Test("PROMPT, GROUPS: a join that fails ends at once", arguments: JoinForm.allCases, Holding.allCases)
    func join(form: JoinForm, holding: Holding) async {
        for kind in DeafWork.Kind.allCases {
            let winner = Gate()
            await withDeafPart(kind, holding) { deaf, keeper in
                let task = Awaiting {
                    form.future(
                        keeper.keep(deaf.future()),
                        ResponseFuture<Int> { () async throws -> Int in
                            try await winner.passUnlessCancelled()
                            throw Mishap(number: 3)
                        })
                }
                await deaf.reached()
                winner.open()
                #expect(await task.ending == "error Mishap(number: 3)", "\(kind)")
            }
        }
    }

    @Test(
        "PROMPT, UP: a join with a cancelled part ends at once", arguments: JoinForm.allCases, Holding.allCases)
    func joinWithCancelledPart(form: JoinForm, holding: Holding) async {
        await withDeafPart(.operation, holding) { deaf, keeper in
            let other = waiting(at: winner)
            let task = Awaiting { form.future(keeper.keep(deaf.future()), other) }
            await deaf.reached()
            await winner.reached()
            other.cancel()
            #expect(await task.ending == "cancelled")
        }
    }
}
