import Foundation
import PiuPiu
import ResultPromises
import Testing

/// What a view controller is, in the Swift 6 mode.
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
}
