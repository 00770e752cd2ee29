import Dispatch
import Foundation
import ResultPromises
import TestSupport
import Testing

@Suite("Promises: where and when handlers run", .timeLimit(.minutes(10)))
struct DeliveryTests {
    private let log = EventLog()

    @Test("KEEP: a handler attached on an operation queue runs there, inside resolve if that is called there")
    func sameQueue() async {
        let promise = Promise<Int>(), log = log
        await OperationQueue.named("A").run {
            promise.onSuccess { log("\($0) on \(Place.current)") }
            promise.resolve(result: 1)
            log("resolved")
        }
        #expect(log.events == ["1 on A", "resolved"])
    }

    @Test("A handler attached on one operation queue and resolved on another runs on its own")
    func otherQueue() async {
        let promise = Promise<Int>(), log = log, first = OperationQueue.named("A")
        await first.run { promise.onComplete { _ in log("complete on \(Place.current)") } }
        await OperationQueue.named("B").run { promise.resolve(result: 1) }
        #expect(await log.all(1) == ["complete on A"])
    }

    @MainActor
    @Test("A handler attached on main and resolved elsewhere runs on main, later")
    func fromBackground() async {
        let promise = Promise<Int>(), log = log
        promise.onError { log("\($0) on \(Place.current)") }
        await onPlainThread { promise.resolve(error: Mishap(number: 1)) }
        #expect(await log.all(1) == ["Mishap(number: 1) on main"])
    }

    @Test("KEEP: a handler attached on a plain thread runs on main")
    func plainThread() async {
        let promise = Promise<Int>(), log = log
        await onPlainThread {
            promise.onSuccess { _ in log(Place.current) }
            promise.resolve(result: 1)
        }
        #expect(await log.all(1) == ["main"])
    }

    @MainActor
    @Test("KEEP: a handler attached on main runs inside resolve, whichever thread serves the main queue")
    func main() async {
        for _ in 0..<3 {
            let promise = Promise<Int>(), log = EventLog()
            promise.onSuccess { _ in log(Place.current) }
            await onPlainThread {}
            promise.resolve(result: 1)
            #expect(log.events == ["main"])
        }
    }

    @Test("Mappers run where the promise is resolved, before a handler that has to wait for its queue")
    func mappers() async {
        let promise = Promise<Int>(), log = log, first = OperationQueue.named("A"), gate = DispatchSemaphore(value: 0)
        await first.run { promise.onSuccess { _ in log("handler on \(Place.current)") } }
        first.addOperation { gate.wait() }
        await OperationQueue.named("B").run {
            _ = promise.then { _ in log("mapper on \(Place.current)") }
            promise.resolve(result: 1)
            log("resolved")
        }
        gate.signal()
        #expect(await log.all(3) == ["mapper on B", "resolved", "handler on A"])
    }

    @Test("KEEP: after the end, handlers and mappers run inline wherever they are attached")
    func inlineAfterTheEnd() async {
        let promise = Promise<Int>(), log = log
        promise.resolve(result: 1)
        await OperationQueue.named("A").run {
            promise.onSuccess { _ in log("handler on \(Place.current)") }
            promise.then { _ in log("mapper on \(Place.current)") }.onSuccess { log("next on \(Place.current)") }
            log("attached")
        }
        #expect(log.events == ["handler on A", "mapper on A", "next on A", "attached"])
        await onPlainThread {
            promise.onSuccess { _ in log("plain on \(Place.current)") }
            log("attached")
        }
        #expect(log.events.suffix(2) == ["plain on elsewhere", "attached"])
    }

    /// Runs `body` on a thread that serves no operation queue, while the caller's thread is blocked.
    private static func blocked(while body: @escaping @Sendable () -> Void) {
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isOver.signal()
        }
        isOver.wait()
    }

    @MainActor
    @Test("A handler attached after the end doesn't overtake earlier ones that wait for the main queue")
    func lateOnMain() async {
        let promise = Promise<Int>(), log = log
        promise.onSuccess { _ in log("first") }
        Self.blocked { promise.resolve(result: 1) }
        promise.onSuccess { _ in log("second on \(Place.current)") }
        _ = promise.then { log("mapper \($0)") }
        Self.blocked { promise.onSuccess { _ in log("third on \(Place.current)") } }
        log("attached")
        #expect(await log.all(5) == ["mapper 1", "attached", "first", "second on main", "third on main"])
        promise.onSuccess { _ in log("last") }
        log("end")
        #expect(await log.all(7).suffix(2) == ["last", "end"])
    }

    @MainActor
    @Test("Nor does it overtake a handler of the main actor that was attached elsewhere after the end")
    func lateOfMainActor() async {
        let promise = Promise<Int>(), log = log
        promise.resolve(result: 1)
        Self.blocked { promise.onSuccess { @MainActor _ in log("first on \(Place.current)") } }
        promise.onSuccess { _ in log("second") }
        log("attached")
        #expect(await log.all(3) == ["attached", "first on main", "second"])
    }

    @Test("Nor those that wait for another queue, if it belongs there")
    func lateOnQueue() async {
        let promise = Promise<Int>(), log = log, first = OperationQueue.named("A")
        await first.run {
            promise.onSuccess { _ in log("first") }
            Self.blocked { promise.resolve(result: 1) }
            promise.onSuccess { _ in log("second on \(Place.current)") }
            log("attached")
        }
        await OperationQueue.named("B").run { promise.onSuccess { _ in log("other on \(Place.current)") } }
        #expect(await log.all(4).filter { $0 != "other on B" } == ["attached", "first", "second on A"])
    }

    @Test("Many threads resolve and attach at once: one end, and each handler is called once")
    func storm() async {
        for _ in 0..<50 {
            let promise = Promise<Int>(), log = EventLog()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask { promise.resolve(result: number) }
                    group.addTask { promise.then { $0 }.onSuccess { log("\($0)") } }
                }
            }
            let events = await log.all(4)
            #expect(events.count == 4)
            #expect(Set(events).count == 1)
        }
    }
}
