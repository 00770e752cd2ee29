import Foundation
import PiuPiu
import ResultPromises
import TestSupport
import Testing

/// A class like a view controller, in the Swift 6 mode.
@MainActor
private final class Screen {
    var names: [String] = []

    func show(_ promise: Promise<String>) {
        promise
            .onComplete { _ in self.names.append("complete") }
            .onSuccess { name in self.names.append(name) }
            .onError { error in self.names.append("\(error)") }
            .onSpecificError(errorType: Mishap.self) { error in self.names.append("\(error.number)") }
    }
}

private actor Library {
    private var names: [String] = []
    private let log: EventLog

    init(log: EventLog) {
        self.log = log
    }

    func add(_ promise: Promise<String>) {
        for number in 0..<20 {
            promise.onSuccess { name in
                self.names.append(name)
                self.log("\(self.names.count) \(number)")
            }
        }
    }
}

/// An executor that keeps its jobs until it is opened.
private final class HeldExecutor: SerialExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var isHeld = false
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "HeldExecutor")
    let arrivals = EventLog()

    func hold() { state.withLock { $0.isHeld = true } }

    func open() {
        let jobs = state.withLock { state in
            state.isHeld = false
            return state.jobs
        }
        jobs.forEach(run)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isHeld = state.withLock { state in
            if state.isHeld { state.jobs.append(job) }
            return state.isHeld
        }
        if isHeld { arrivals("held") } else { run(job) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    private func run(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// An actor that is busy for as long as a test likes.
private actor BusyLibrary {
    let executor = HeldExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func add(_ promise: Promise<String>, _ log: EventLog) {
        promise.onSuccess { _ in
            self.preconditionIsolated()
            log("busy actor")
        }
    }
}

@Suite("Promises: handlers of the main actor and of other actors", .timeLimit(.minutes(10)))
struct MainActorTests {
    private let log = EventLog()

    @MainActor
    @Test("KEEP, MAIN: a main-actor class attaches handlers without ceremony, and they run inside resolve on main")
    func screen() {
        let screen = Screen(), promise = Promise<String>(), failed = Promise<String>()
        screen.show(promise)
        screen.show(failed)
        promise.resolve(result: "A")
        #expect(screen.names == ["complete", "A"])
        failed.resolve(error: Mishap(number: 2))
        #expect(screen.names == ["complete", "A", "complete", "Mishap(number: 2)", "2"])
    }

    @Test("MAIN: a handler that was formed on the main actor runs there, wherever it is attached")
    func elsewhere() async {
        let early = Promise<Int>(), late = wrapped(2), log = log
        await OperationQueue.named("A").run {
            early.onSuccess { @MainActor value in log("\(value) on \(Place.current)") }
            late.onSuccess { @MainActor value in log("\(value) on \(Place.current)") }
            early.resolve(result: 1)
        }
        #expect(await log.all(2).sorted() == ["1 on main", "2 on main"])
    }

    @Test("ANY-ACTOR: handlers that were formed on an actor run there, in the order in which they were attached")
    func actor() async {
        for _ in 0..<100 {
            let log = EventLog(), library = Library(log: log), promise = Promise<String>()
            await library.add(promise)
            await onPlainThread { promise.resolve(result: "A") }
            #expect(await log.all(20) == (0..<20).map { "\($0 + 1) \($0)" })
        }
    }

    @Test("ORDER: a handler of one actor waits for those of others that were attached before it")
    func severalActors() async {
        for _ in 0..<20 {
            let log = EventLog(), busy = BusyLibrary(), library = Library(log: log), promise = Promise<String>()
            await busy.add(promise, log)
            await library.add(promise)
            busy.executor.hold()
            await onPlainThread { promise.resolve(result: "A") }
            _ = await busy.executor.arrivals.all(1)
            // Tasks of lower priority: if the library didn't wait, it would be called before they end.
            for _ in 0..<4 { await Task(priority: .background) {}.value }
            log("opened")
            busy.executor.open()
            #expect(await log.all(22).prefix(3) == ["opened", "busy actor", "1 0"])
        }
    }
}
