import PiuPiu
import TestSupport
import Testing

private enum Traits {
    @TaskLocal static var member: Population.Member?
}

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that no test saw: ends", .timeLimit(.minutes(10)))
struct UnseenEndBreakTests {
    /// Many joins: in some at least a task waits for its turn when the cancellation comes.
    @Test("RELEASE: a join with a limit that is cancelled leaves no task that waits for a turn")
    func idleWorkers() async {
        let members = Population(), gate = Gate()
        let joins = (0..<200).map { _ in
            ResponseFuture<[Int]>(childFutures: [waiting(at: gate), waiting(at: gate)], limit: 1)
        }
        for join in joins {
            // Each task of the join retains it.
            let member = members.member()
            Traits.$member.withValue(member) { join.send() }
        }
        await gate.reached(joins.count)
        for join in joins { join.cancel() }
        await members.extinct()
        #expect(joins.allSatisfy { $0.status == .cancelled })
    }

    @MainActor
    @Test("A loader's finished() waits until no load runs, however often one replaces another")
    func finishedAfterReloads() async {
        let log = EventLog(), isWaiting = Gate(), loader = FutureLoader<Int> { ResponseFuture(result: 0) }
        @MainActor func load() async -> Gate {
            let never = Gate(), isCancelled = Gate()
            loader.reload { waiting(at: never, cancelled: isCancelled) }
            await never.reached()
            return isCancelled
        }
        var isFormerCancelled = await load()
        Task {
            isWaiting.open()
            await loader.finished()
            log("\(loader.isLoading)")
        }
        await isWaiting.opened()
        // Many, so that a wait for the first load only would be over.
        for _ in 0..<50 {
            let isNextCancelled = await load()
            await isFormerCancelled.opened()
            isFormerCancelled = isNextCancelled
        }
        #expect(log.events == [])
        loader.reload { ResponseFuture(result: 1) }
        #expect(await log.all(1) == ["false"])
        #expect(loader.state == .loaded(1))
    }

    @Test("A future that is cancelled as it begins notes its end, as a recording has to")
    func notedEnd() {
        let whole = Box<ResponseFuture<Int>>(), log = EventLog()
        let future = ResponseFuture<Int>.noting(
            for: .object(log),
            {
                log("made")
                return ResponseFuture<Int> { 1 }
            },
            begin: {
                whole.value?.cancel()
                return 7
            },
            finish: { result, note in
                log("end \(note)")
                return try result.get()
            })
        whole.value = future
        future.send()
        #expect(log.events == ["end 7"])
        #expect(future.status == .cancelled)
        whole.value = nil
    }
}
