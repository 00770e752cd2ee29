import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Updates of hedged requests", .timeLimit(.minutes(10)))
struct HedgeUpdatesTests {
    /// Hands in the updates one by one.
    private final class Line: Sendable {
        private let updates = Locked(HedgeUpdates())

        func passes(_ stage: TransferUpdate.Stage, _ bytes: Int64 = 0, of copy: Int) -> Bool {
            let progress = TransferProgress(bytesReceived: bytes)
            return passes(TransferUpdate(stage: stage, progress: progress), of: copy)
        }

        func passes(_ update: TransferUpdate, of copy: Int) -> Bool {
            updates.withLock { $0.passes(update, of: copy) }
        }

        func end(_ copy: Int) { updates.withLock { $0.end(copy) } }
        func win(_ copy: Int) -> Int64? { updates.withLock { $0.win(copy) }?.progress.bytesReceived }
    }

    private let line = Line()

    @Test("The first copy's updates pass, until another copy's response begins first")
    func leader() {
        #expect(line.passes(.started, of: 0))
        #expect(!line.passes(.started, of: 2))
        #expect(line.passes(.sent, of: 0))
        #expect(line.passes(.responded, of: 2))
        #expect(!line.passes(.responded, of: 0))
        #expect(line.passes(.received, 3, of: 2))
        // If the other wins all the same, its last update is the exchange's.
        #expect(!line.passes(.received, 5, of: 0))
        #expect(line.win(0) == 5)
        #expect(!line.passes(.received, 4, of: 2))
    }

    @Test("After a copy fails, another's updates pass")
    func failure() {
        #expect(line.passes(.started, of: 0) && line.passes(.responded, of: 0))
        line.end(0)
        #expect(line.passes(.started, of: 1) && line.passes(.received, of: 1))
        #expect(!line.passes(.started, of: 2))
        line.end(2)
        #expect(line.win(1) == nil && line.win(2) == nil)
    }

    @Test("A copy is known to be unsent if others had updates; that an answer is of no use passes for the leader's")
    func unsent() {
        var updates = HedgeUpdates()
        #expect(!updates.isUnsent(0, reports: false) && !updates.isUnsent(1, reports: false))
        #expect(updates.isUnsent(1, reports: true))
        let isShown = updates.passes(TransferUpdate(stage: .started), of: 0)
        #expect(isShown && !updates.isUnsent(0, reports: false) && updates.isUnsent(1, reports: false))
        let passes = (updates.passes(.refusal, of: 0), updates.passes(.refusal, of: 1))
        #expect(passes == (true, false))
        #expect(TransferStep(of: .refusal) == .refused && updates.isUnsent(1, reports: false))
    }

    @Test("A retry inside the leader starts over, and a copy's end passes if its updates did")
    func retryInside() {
        let end = TransferUpdate.end(of: TransferSource())
        #expect(line.passes(.responded, of: 0) && line.passes(.retrying(attempt: 2, after: .zero), of: 0))
        #expect(!line.passes(end, of: 1) && line.passes(.responded, of: 1))
        #expect(line.passes(end, of: 0) && line.passes(end, of: 1) && !line.passes(end, of: 2))
    }

    @Test("A future's updates are of one copy after the other, the winner last")
    func future() async throws {
        let clock = ManualClock()
        let mock = MockRouteTable(
            clock: clock,
            script: MockScript([.text("first").after(.seconds(60)), .text("second").after(.seconds(1))]))
        let future = mock.hedged(.test(clock)).dataFuture(from: try request("GET"))
        let task = Task { await future.allUpdates }
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        let updates = await task.value
        #expect(updates.map(\.stage) == [.started, .received] && updates.last?.progress.bytesReceived == 6)
        let failing = scripted(.number(500), .text("second")).hedged(.test(clock))
        let all = await failing.dataFuture(from: try request("GET")).allUpdates
        #expect(all.map(\.stage) == [.started, .received, .started, .received])
    }
}
