import Foundation
import PiuPiu
import TestSupport
import Testing

/// The actors on which callbacks get updates.
enum UpdateFamily: CaseIterable, Sendable {
    /// `updated`, on the main actor.
    case slot
    /// `onUpdate`, on the main actor.
    case main
    /// `onUpdate`, on a user's own actor.
    case ownActor
    /// `onUpdate`, in the background.
    case background

    static let onActors: [UpdateFamily] = [.slot, .main, .ownActor]

    /// Enqueues a job on the actor that calls it.
    typealias Enqueue = (@escaping @Sendable () -> Void) -> Void

    /// Attaches a callback.
    func attach(to future: ResponseFuture<Int>, _ callback: @escaping @Sendable (TransferUpdate, Enqueue) -> Void) async
    {
        switch self {
        case .slot:
            _ = future.updated { update in callback(update) { job in Task { @MainActor in job() } } }
        case .main:
            _ = future.onUpdate { @MainActor update in callback(update) { job in Task { @MainActor in job() } } }
        case .ownActor:
            await Listener().attach(to: future, callback)
        case .background:
            _ = future.onUpdate { update in callback(update) { job in Task { job() } } }
        }
    }

    /// A user's own actor.
    private actor Listener {
        func attach(
            to future: ResponseFuture<Int>, _ callback: @escaping @Sendable (TransferUpdate, Enqueue) -> Void
        ) {
            _ = future.onUpdate { update in
                self.assertIsolated()
                callback(update) { job in Task { self.perform(job) } }
            }
        }

        private func perform(_ job: () -> Void) { job() }
    }
}

/// Makes updates as fast as it can, on a thread of its own, until the test stops it.
final class UpdateProducer: Sendable {
    let future: ResponseFuture<Int>
    private let promise: Box<ResponseFuture<Int>>
    private let made = Counter()
    private let stop = Box<Bool>()

    init() {
        let promise = Box<ResponseFuture<Int>>()
        self.promise = promise
        future = ResponseFuture<Int> { promise.value = $0 }
    }

    /// Starts the future, and the thread.
    func start() {
        future.send()
        Thread.detachNewThread { [self] in
            while stop.value == nil {
                let progress = TransferProgress(bytesReceived: Int64(made.increment()))
                promise.value?.update(with: TransferUpdate(stage: .received, progress: progress))
            }
            promise.value?.succeed(with: 1)
            promise.value = nil
        }
    }

    /// The work of a slow callback: returns after many more updates.
    func overtake() {
        let enough = made.value + 100
        while made.value < enough, stop.value == nil {}
    }

    func end() { stop.value = true }
}

@Suite("TURN: a producer at full speed", .serialized, .timeLimit(.minutes(10)))
struct TurnTests {
    /// The number of callbacks at which a failing test stops.
    private static let tooMany = 200

    /// For each job that a callback enqueues on the actor, how many more callbacks ran before it.
    private func lateness(
        of family: UpdateFamily, jobs count: Int, every distance: Int
    ) async -> [String] {
        let producer = UpdateProducer(), calls = Counter(), lateness = EventLog()
        await family.attach(to: producer.future) { _, enqueue in
            let number = calls.increment()
            producer.overtake()
            if number == Self.tooMany { producer.end() }
            guard number.isMultiple(of: distance), number <= count * distance else { return }
            enqueue {
                lateness("\(calls.value - number)")
                if number == count * distance { producer.end() }
            }
        }
        producer.start()
        defer { producer.end() }
        return await lateness.all(count)
    }

    @Test("TURN: another job of the actor gets its turn after at most one callback", arguments: UpdateFamily.onActors)
    func otherJob(family: UpdateFamily) async {
        let lateness = await lateness(of: family, jobs: 5, every: 10)
        #expect(lateness.count == 5 && lateness.allSatisfy { $0 == "0" || $0 == "1" }, "\(lateness)")
    }

    @Test("TURN: a job gets its turn even if every callback enqueues one", arguments: UpdateFamily.onActors)
    func manyJobs(family: UpdateFamily) async {
        let lateness = await lateness(of: family, jobs: 50, every: 1)
        #expect(lateness.count == 50 && lateness.allSatisfy { $0 == "0" || $0 == "1" }, "\(lateness)")
    }

    @Test(
        "TURN, AFTER-CANCEL: a cancellation on the actor gets its turn, and ends the updates",
        arguments: UpdateFamily.onActors)
    func cancel(family: UpdateFamily) async {
        let producer = UpdateProducer(), calls = Counter(), log = EventLog(), callsAtCancel = Counter()
        await family.attach(to: producer.future) { _, enqueue in
            let number = calls.increment()
            producer.overtake()
            if number == Self.tooMany { producer.end() }
            guard number == 10 else { return }
            enqueue {
                // Counted before the cancellation. No call comes between, as this job occupies the actor.
                for _ in 0..<calls.value { callsAtCancel.increment() }
                producer.future.cancel()
            }
        }
        _ = producer.future.cancellation { log("cancellation") }.completion { log("completion") }
        producer.start()
        // The producer goes on all this time.
        #expect(await log.all(2) == ["cancellation", "completion"])
        producer.end()
        #expect(calls.value <= 11 && calls.value == callsAtCancel.value)
        #expect(producer.future.status == .cancelled)
    }

    @Test(
        "ORDER, TURN: a callback that attaches itself again gets the next update, and the outcome comes after it",
        arguments: [true, false])
    func attachedAgain(isSlot: Bool) async {
        let log = EventLog(), promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { promise.value = $0 }
        @Sendable func note(_ update: TransferUpdate) {
            log("update \(update.progress.bytesReceived)")
            // So that a failing test ends.
            if log.events.count < Self.tooMany { attach() }
        }
        @Sendable func attach() {
            _ = isSlot ? future.updated { note($0) } : future.onUpdate { note($0) }
        }
        attach()
        if isSlot {
            future.success { _ in log("success") }.completion { log("completion") }.send()
        } else {
            future.onSuccess { _ in log("success") }.onCompletion { log("completion") }.send()
        }
        for number in 1...2 as ClosedRange<Int64> {
            let progress = TransferProgress(bytesReceived: number)
            promise.value?.update(with: TransferUpdate(stage: .received, progress: progress))
            await log.wait(for: Int(number))
        }
        promise.value?.succeed(with: 1)
        promise.value = nil
        // The observers add up: the second update has two.
        let updates = isSlot ? ["update 1", "update 2"] : ["update 1", "update 2", "update 2"]
        #expect(await log.all(updates.count + 2) == updates + ["success", "completion"])
    }

    @Test("TURN: other jobs of the main actor run between an outcome's callbacks", arguments: [true, false])
    func outcome(isSlot: Bool) async {
        let log = EventLog()
        let stages: [TransferUpdate.Stage] = [.started, .responded, .received]
        let future = ResponseFuture<Int> { future in
            for stage in stages { future.update(with: TransferUpdate(stage: stage)) }
            future.succeed(with: 1)
        }
        await MainQueue.blocked {
            if isSlot {
                future.updated { update in
                    log("\(update.stage)")
                    if update.stage == .started { Task { @MainActor in log("job") } }
                }
                .success { _ in
                    log("success")
                    Task { @MainActor in log("second job") }
                }
                .completion { log("completion") }.send()
            } else {
                future.onUpdate { @MainActor update in
                    log("\(update.stage)")
                    if update.stage == .started { Task { @MainActor in log("job") } }
                }
                .onSuccess { @MainActor _ in
                    log("success")
                    Task { @MainActor in log("second job") }
                }
                .onCompletion { @MainActor in log("completion") }.send()
            }
        }
        let events = await log.all(7)
        #expect(
            events.filter { !$0.hasSuffix("job") } == ["started", "responded", "received", "success", "completion"])
        #expect((events.firstIndex(of: "job") ?? .max) <= 2, "\(events)")
    }
}
