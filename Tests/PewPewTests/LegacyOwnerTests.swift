import PewPew
import TestSupport
import Testing

/// A future, what is made from it, and its run, which ends only from outside.
private struct Family: Sendable {
    let parent = Box<ResponseFuture<Int>>()
    let running = Box<ResponseFuture<Int>>()
    let children: [ResponseFuture<Int>]

    init() {
        let running = running
        let future = ResponseFuture<Int>(action: { running.value = $0 })
        children = [future.then { $0 }, future.then { $0 }]
        parent.value = future
    }

    func endRun() {
        running.value?.fail(with: Mishap())
        running.value = nil
    }
}

/// A child refers to the core of its parent alone. Its start makes a reference to the parent anew, if there is none.
@Suite("NEVER-HANG: a legacy future that several threads use at once isn't abandoned", .timeLimit(.minutes(10)))
struct LegacyOwnerTests {
    private static let rounds = 2000

    /// Does two things in two tasks, at the same moment if there is a thread for each.
    ///
    /// - Parameter delays: how long each waits, so that they meet in many ways.
    private func together(
        _ delays: [Int], _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
    ) async {
        let arrivals = Counter()
        await withTaskGroup(of: Void.self) { group in
            for (delay, body) in zip(delays, [first, second]) {
                group.addTask {
                    arrivals.increment()
                    var patience = 1000
                    while arrivals.value < 2, patience > 0 { patience -= 1 }
                    for _ in 0..<delay { _ = arrivals.value }
                    body()
                }
            }
        }
    }

    @Test("A released parent that two children send at once runs for both")
    func sentTogether() async {
        var generator = SeededGenerator(seed: 1), abandoned = 0
        for _ in 0..<Self.rounds {
            let family = Family()
            family.parent.value = nil
            let delays = [Int.random(in: 0..<8, using: &generator), Int.random(in: 0..<8, using: &generator)]
            await together(delays, { family.children[0].send() }, { family.children[1].send() })
            abandoned += family.children.filter { $0.status != .started }.count
            family.endRun()
        }
        #expect(abandoned == 0)
    }

    @Test("A parent that is released while a child sends it runs for that child")
    func sentDuringRelease() async {
        var generator = SeededGenerator(seed: 2), abandoned = 0
        for _ in 0..<Self.rounds {
            let family = Family()
            let delays = [Int.random(in: 0..<8, using: &generator), Int.random(in: 0..<8, using: &generator)]
            await together(delays, { family.parent.value = nil }, { family.children[0].send() })
            if family.children[0].status != .started { abandoned += 1 }
            family.endRun()
        }
        #expect(abandoned == 0)
    }

    @Test("UP: a parent that a child starts while that child is being cancelled doesn't run for nobody")
    func sentDuringCancellation() async {
        var generator = SeededGenerator(seed: 3), left = 0
        for _ in 0..<Self.rounds {
            let running = Box<ResponseFuture<Int>>(), isOver = Gate()
            let parent = ResponseFuture<Int>(action: { running.value = $0 })
            // The cancellation goes up the same chain as the start, and may catch up with it at each link.
            let child = (0..<50).reduce(parent) { link, _ in link.then { $0 } }.completion { isOver.open() }
            let awaited = child.piuPiuFuture()
            let delays = [Int.random(in: 0..<8, using: &generator), Int.random(in: 0..<8, using: &generator)]
            await together(delays, { awaited.send() }, { awaited.cancel() })
            // One that was cancelled before its start never runs.
            if child.status != .created { await isOver.opened() }
            if parent.status == .started { left += 1 }
            running.value?.fail(with: Mishap())
            running.value = nil
        }
        #expect(left == 0)
    }
}
