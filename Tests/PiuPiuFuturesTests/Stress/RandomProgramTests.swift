import Testing

/// Random programs of operators, sends, awaits, cancellations, callbacks and settlements, against a sequential model.
///
/// ``RandomProgramSeeds`` says how to run a program again, or many for a long time.
@Suite("Random programs", .timeLimit(.minutes(RandomProgramSeeds.minutes)))
struct RandomProgramTests {
    @Test(
        """
        ONCE, SETTLE, MEMO, ORDER, SHARED, NEVER-HANG, UNSENT, RELEASE, RETAIN, SAME, INTEREST, PROMPT, AFTER-CANCEL, \
        TURN: random programs do what a model permits
        """)
    func programs() async {
        let seeds = RandomProgramSeeds(), start = ContinuousClock.now
        // Two at a time, so that their tasks interrupt each other.
        await withDiscardingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    while !Task.isCancelled, let seed = seeds.next() {
                        let program = RandomProgram(seed: seed)
                        let complaints = await RandomProgramRun.complaints(about: program)
                        #expect(complaints.isEmpty, "\(program)")
                        // One failure is enough to examine.
                        if !complaints.isEmpty { return }
                    }
                }
            }
        }
        RandomProgramSeeds.say("\(seeds.count) random programs in \(ContinuousClock.now - start)")
    }
}
