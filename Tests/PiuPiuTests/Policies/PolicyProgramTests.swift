import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

@Suite("Programs of all policies against a model", .timeLimit(.minutes(10)))
struct PolicyProgramTests {
    /// `PIUPIU_PROGRAMS` sets their number, and `PIUPIU_PROGRAM_SEED` repeats those of an earlier run.
    private static let count = environment("PIUPIU_PROGRAMS").flatMap { Int($0) } ?? 150
    private static let seed = environment("PIUPIU_PROGRAM_SEED").flatMap { UInt64($0) } ?? .random(in: 0...(.max))

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    @Test(
        """
        R, A, C, L, D, HEDGE, BREAKER, OBSERVATION: all policies in random orders match a plain model, to the end or to a \
        cancel at any step
        """, arguments: [seed])
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for number in 0..<Self.count {
            let program = PolicyProgram(using: &random)
            let whole = PolicyProgramModel(program)
            whole.start()
            var steps = 0
            while whole.next != nil {
                if whole.ending == nil { steps += 1 }
                whole.step()
            }
            let cancelled = Bool.random(using: &random) ? Int.random(in: 0..<steps, using: &random) : nil
            if whole.isAmbiguous { continue }
            let end = cancelled.map { "cancelled after \($0) steps" } ?? "to the end"
            try await check(program, cancelledAfter: cancelled, "seed \(seed), program \(number), \(end): \(program)")
        }
    }

    private func check(_ program: PolicyProgram, cancelledAfter last: Int?, _ text: Comment) async throws {
        let model = PolicyProgramModel(program), clock = ManualClock(), probe = ProgramProbe()
        let engine = ProgramEngine(clock: clock, fates: program.fates)
        let future = try program.dispatcher(over: engine, probe).dataFuture(from: try request("GET"))
        let task = Task { await future.programEnding }
        /// Waits until all work waits for the clock.
        func settle() async {
            await clock.sleepers(until: model.sleepers)
            await probe.copies.wait(for: model.copiesEnded)
        }
        func step() async {
            await settle()
            model.step()
            clock.advance(by: model.now - clock.now.offset)
        }
        model.start()
        var steps = 0
        while model.ending == nil, steps != last {
            await step()
            steps += 1
        }
        if model.ending == nil {
            await settle()
            model.giveUp()
            future.cancel()
        }
        #expect(await task.value == model.ending?.text ?? "cancelled", text)
        // Only a refresh goes on, which no caller owns.
        while model.next != nil { await step() }
        await clock.noSleepers()
        #expect(engine.sent.value == model.sent, text)
        #expect(probe.starts.events.count == model.observed, text)
        let ends = await probe.ends.all(model.observed)
        #expect(Set(ends) == Set(probe.starts.events) && ends.count == model.observed, text)
    }
}
