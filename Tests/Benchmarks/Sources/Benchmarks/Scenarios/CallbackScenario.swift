import Dispatch
import NIOCore
import PiuPiu

/// Futures that are sent with two callbacks each. The second one resumes the sender.
enum CallbackScenario {
    static let scenarios = [
        onMainActor(name: "callbacks-main-actor", batch: batch, sender: MainActor.shared),
        onMainActor(name: "callbacks-main-actor-elsewhere", batch: batch, sender: nil),
        onMainActor(name: "callbacks-main-actor-single", batch: 1, sender: MainActor.shared),
        inBackground(name: "callbacks-background", batch: batch),
        inBackground(name: "callbacks-background-single", batch: 1),
    ]

    private static let batch = 1_000

    private static func futures(_ batch: Int) -> String {
        batch == 1 ? "a future" : "\(Table.grouped(Double(batch))) futures at once"
    }

    private static func note(_ batch: Int) -> String? {
        batch == 1 ? "Much of it is what the kernel takes to wake a thread." : nil
    }

    // MARK: On the main actor

    private static let taskName = "`Task` + `MainActor.run`"

    private static func onMainActor(name: String, batch: Int, sender: (any Actor)?) -> TimedScenario {
        TimedScenario(
            name: name,
            title: "send \(futures(batch)) \(sender == nil ? "in the background" : "on the main actor"), "
                + "`success` and `completion`",
            expected: batch, peer: taskName, targets: [.atMost(1.5, timesContender: taskName)], note: note(batch),
            contenders: [
                Contender("PiuPiu, `ResponseFuture { 1 }`", .piuPiu) { await piuPiuOnMain($0, batch, sender) },
                Contender(taskName, .yardstick) { await taskOnMain($0, batch, sender) },
                Contender("swift-nio + main queue", .peer) { await nioOnMain($0, batch, sender) },
            ])
    }

    @inline(never)
    private static func piuPiuOnMain(_ count: Int, _ batch: Int, _ sender: isolated (any Actor)?) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let values = Tally(expecting: batch), completions = Tally(expecting: batch)
            for _ in 0..<batch {
                ResponseFuture { 1 }.success { values.add($0) }.completion { completions.add(1) }.send()
            }
            _ = await completions.total()
            sum &+= await values.total()
        }
        return sum
    }

    @inline(never)
    private static func taskOnMain(_ count: Int, _ batch: Int, _ sender: isolated (any Actor)?) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let values = Tally(expecting: batch), completions = Tally(expecting: batch)
            for _ in 0..<batch {
                Task { @concurrent in
                    let value = increment(0)
                    await MainActor.run {
                        values.add(value)
                        completions.add(1)
                    }
                }
            }
            _ = await completions.total()
            sum &+= await values.total()
        }
        return sum
    }

    @inline(never)
    private static func nioOnMain(_ count: Int, _ batch: Int, _ sender: isolated (any Actor)?) async -> Int {
        let loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count {
            let values = Tally(expecting: batch), completions = Tally(expecting: batch)
            for _ in 0..<batch {
                loop.submit { 1 }.whenSuccess { value in
                    DispatchQueue.main.async {
                        values.add(value)
                        completions.add(1)
                    }
                }
            }
            _ = await completions.total()
            sum &+= await values.total()
        }
        return sum
    }

    // MARK: In the background

    private static let resumingTaskName = "`Task` that resumes a continuation"

    private static func inBackground(name: String, batch: Int) -> TimedScenario {
        TimedScenario(
            name: name, title: "send \(futures(batch)) in the background, `onSuccess` and `onCompletion`",
            expected: batch, peer: resumingTaskName, targets: [.atMost(1.5, timesContender: resumingTaskName)],
            note: note(batch),
            contenders: [
                Contender("PiuPiu, `ResponseFuture { 1 }`", .piuPiu) { await piuPiu($0, batch) },
                Contender(resumingTaskName, .yardstick) { await resumingTask($0, batch) },
                Contender("swift-nio, `whenSuccess`", .peer) { await nio($0, batch) },
            ])
    }

    @inline(never) @concurrent
    private static func piuPiu(_ count: Int, _ batch: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let values = Tally(expecting: batch), completions = Tally(expecting: batch)
            for _ in 0..<batch {
                ResponseFuture { 1 }.onSuccess { values.add($0) }.onCompletion { completions.add(1) }.send()
            }
            _ = await completions.total()
            sum &+= await values.total()
        }
        return sum
    }

    @inline(never) @concurrent
    private static func resumingTask(_ count: Int, _ batch: Int) async -> Int {
        var sum = 0
        for _ in 0..<count {
            let values = Tally(expecting: batch), completions = Tally(expecting: batch)
            for _ in 0..<batch {
                Task {
                    values.add(increment(0))
                    completions.add(1)
                }
            }
            _ = await completions.total()
            sum &+= await values.total()
        }
        return sum
    }

    @inline(never) @concurrent
    private static func nio(_ count: Int, _ batch: Int) async -> Int {
        let loop = NIOLoop.loop
        var sum = 0
        for _ in 0..<count {
            let values = Tally(expecting: batch), completions = Tally(expecting: batch)
            for _ in 0..<batch {
                loop.submit { 1 }.whenSuccess { value in
                    values.add(value)
                    completions.add(1)
                }
            }
            _ = await completions.total()
            sum &+= await values.total()
        }
        return sum
    }
}
