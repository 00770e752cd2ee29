import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("TURN: updates that wait", .serialized, .timeLimit(.minutes(10)))
struct TurnBoundTests {
    /// The most that may wait for a consumer.
    private static let bound = 256

    private func update(_ stage: TransferUpdate.Stage, _ number: Int) -> TransferUpdate {
        TransferUpdate(stage: stage, progress: TransferProgress(bytesReceived: Int64(number)))
    }

    /// Makes updates while the first callback still runs, and returns those delivered.
    private func delivered(
        to family: UpdateFamily, _ steps: [(stage: TransferUpdate.Stage, count: Int)],
        end: @escaping @Sendable (ResponseFuture<Int>) -> Void
    ) async -> [TransferUpdate] {
        let promise = Box<ResponseFuture<Int>>(), received = Locked<[TransferUpdate]>([]), log = EventLog()
        let isBusy = DispatchSemaphore(value: 0), isFree = DispatchSemaphore(value: 0)
        let future = ResponseFuture<Int> { promise.value = $0 }
        await family.attach(to: future) { update, _ in
            let count = received.withLock { received in
                received.append(update)
                return received.count
            }
            guard count == 1 else { return }
            isBusy.signal()
            isFree.wait()
        }
        // Each family has a delivery of its own.
        if family == .slot {
            future.completion { log("completion") }.send()
        } else {
            future.onCompletion { log("completion") }.send()
        }
        Thread.detachNewThread { [self] in
            var number = 0
            promise.value?.update(with: update(.started, number))
            isBusy.wait()
            for step in steps {
                for _ in 0..<step.count {
                    number += 1
                    promise.value?.update(with: update(step.stage, number))
                }
            }
            if let promise = promise.value { end(promise) }
            promise.value = nil
            isFree.signal()
        }
        await log.wait(for: 1)
        return received.withLock { $0 }
    }

    private let steps: [(stage: TransferUpdate.Stage, count: Int)] = [
        (.sent, 5_000), (.responded, 1), (.received, 5_000),
    ]

    @Test(
        "TURN, ORDER: a slow consumer gets a bounded number, in order: the newest, and the last of each step",
        arguments: UpdateFamily.allCases, [true, false])
    func slowConsumer(family: UpdateFamily, isValue: Bool) async {
        let updates = await delivered(to: family, steps) { promise in
            isValue ? promise.succeed(with: 1) : promise.fail(with: Mishap())
        }
        #expect(updates.count <= Self.bound)
        let numbers = updates.map(\.progress.bytesReceived)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<))
        for last in [
            update(.started, 0), update(.sent, 5_000), update(.responded, 5_001), update(.received, 10_001),
        ] {
            #expect(updates.contains(last), "\(last)")
        }
        #expect(updates.last == update(.received, 10_001))
    }

    @Test("TURN: the last update of a step arrives each time the step comes", arguments: UpdateFamily.allCases)
    func steps(family: UpdateFamily) async {
        let steps: [(stage: TransferUpdate.Stage, count: Int)] = (0..<5).flatMap { _ in
            [(.sent, 1_000), (.responded, 1), (.received, 1_000)]
        }
        let updates = await delivered(to: family, steps) { $0.succeed(with: 1) }
        #expect(updates.count <= Self.bound)
        var number = 0
        for step in steps {
            number += step.count
            #expect(updates.contains(update(step.stage, number)))
        }
    }

    @Test("TURN, AFTER-CANCEL: no waiting update is delivered after a cancellation", arguments: UpdateFamily.allCases)
    func cancelled(family: UpdateFamily) async {
        let updates = await delivered(to: family, steps) { $0.cancel() }
        #expect(updates == [update(.started, 0)])
    }

    @Test("TURN, ORDER: a consumer that keeps up misses no update", arguments: UpdateFamily.allCases)
    func quickConsumer(family: UpdateFamily) async {
        let promise = Box<ResponseFuture<Int>>(), log = EventLog(), future = ResponseFuture<Int> { promise.value = $0 }
        await family.attach(to: future) { update, _ in log("\(update.progress.bytesReceived)") }
        future.send()
        for number in 0..<300 {
            promise.value?.update(with: update(.received, number))
            await log.wait(for: number + 1)
        }
        promise.value?.succeed(with: 1)
        #expect(await future.ending == "value 1")
        #expect(log.events == (0..<300).map { "\($0)" })
    }

    @Test("TURN: a slow consumer takes no updates from a quick one of the same future")
    func twoConsumers() async {
        let promise = Box<ResponseFuture<Int>>(), log = EventLog(), slow = EventLog(), end = EventLog()
        let future = ResponseFuture<Int> { promise.value = $0 }
            .updated { slow("\($0.progress.bytesReceived)") }.completion { end("completion") }
            .onUpdate { log("\($0.progress.bytesReceived)") }
        await MainQueue.blocked {
            future.send()
            for number in 0..<1_000 {
                promise.value?.update(with: update(.received, number))
                await log.wait(for: number + 1)
            }
            promise.value?.succeed(with: 1)
            promise.value = nil
        }
        await end.wait(for: 1)
        #expect(log.events == (0..<1_000).map { "\($0)" })
        #expect(slow.events.count <= Self.bound && slow.events.last == "999")
    }

    @Test("TURN: of each future of a join, the last update of a step arrives", arguments: [false, true])
    func joined(isLink: Bool) async throws {
        let gate = Gate(), received = Locked<[TransferUpdate]>([]), end = EventLog()
        let futures = (0..<2).map { number in
            let future = ResponseFuture<Int> {
                try await gate.passUnlessCancelled()
                return number
            }
            return isLink ? future.then { $0 } : future
        }
        let both = futures[0].join(futures[1])
            .updated { update in received.withLock { $0.append(update) } }.completion { end("completion") }
        await MainQueue.blocked {
            both.send()
            await gate.reached(2)
            futures[0].update(with: update(.sent, 1))
            for number in 2...1_000 { futures[1].update(with: update(.sent, number)) }
            gate.open()
        }
        await end.wait(for: 1)
        let updates = received.withLock { $0 }
        #expect(updates.count <= Self.bound)
        #expect(updates.first == update(.sent, 1) && updates.last == update(.sent, 1_000))
    }
}
