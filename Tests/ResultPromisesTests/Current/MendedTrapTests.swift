import Foundation
import PiuPiu
import ResultPromises
import TestSupport
import Testing

@MainActor
@Suite("Promises: the traps of 0.1.3 are mended", .timeLimit(.minutes(10)))
struct MendedTrapTests {
    private let log = EventLog()

    @Test("A mapper that returns a Swift.Result makes a promise of its content")
    func swiftResults() async throws {
        let promise = Promise<Int>()
        let doubled = promise.then { value in Swift.Result<Int, any Error>.success(value * 2) }
        let failed = promise.then { _ -> Swift.Result<String, any Error> in .failure(CancellationError()) }
        promise.resolve(result: 4)
        let sum: Int = try await doubled.value + 1
        #expect(sum == 9)
        await #expect(throws: CancellationError.self) { let _: String = try await failed.value }
    }

    @Test("TRAP: a handler may attach to, resolve and map its own promise; no lock is held, and the order stays")
    func reentrant() {
        let promise = Promise<Int>(), log = log
        promise.onSuccess { value in
            log("first")
            promise.resolve(result: 2)
            promise.onSuccess { log("third \($0)") }
            promise.then { $0 + 1 }.onSuccess { log("fourth \($0)") }
        }
        promise.onComplete { _ in log("second") }
        promise.resolve(result: 1)
        #expect(log.events == ["first", "second", "third 1", "fourth 2"])
    }

    @Test("TRAP: a mapper may use the promise that it maps, and handlers may resolve others")
    func reentrantMapper() {
        let promise = Promise<Int>(), other = Promise<String>(), log = log
        other.onSuccess { log("other \($0)") }
        promise.then { value -> Promise<String> in
            promise.onSuccess { log("attached by the mapper \($0)") }
            other.resolve(result: "o")
            log("mapped")
            return other
        }
        .onSuccess { log("then \($0)") }
        promise.resolve(result: 1)
        #expect(log.events == ["other o", "mapped", "then o", "attached by the mapper 1"])
    }

    @Test("TRAP: another thread may attach while a handler runs, and does not wait for it")
    func attachingBeside() async {
        let promise = Promise<Int>(), log = log, attached = DispatchSemaphore(value: 0)
        let isRunning = Promise<Void>()
        await OperationQueue.named("A").run {
            promise.onSuccess { _ in
                isRunning.resolve(result: ())
                attached.wait()
                log("first")
            }
        }
        isRunning.then {
            DispatchQueue.global().async {
                promise.onSuccess { _ in log("second") }
                attached.signal()
            }
        }.onSuccess {}
        await OperationQueue.named("B").run { promise.resolve(result: 1) }
        // Each on a queue of its own, in either order.
        #expect(await Set(log.all(2)) == ["first", "second"])
    }

    @Test("TRAP: a child that was resolved by hand keeps its outcome when its parent fails or succeeds")
    func childResolvedByHand() {
        let failing = Promise<Int>(), succeeding = Promise<Int>(), log = log
        let children: [Promise<Int>] = [
            failing.then { $0 }, failing.then { Result.success(value: $0) }, failing.then { wrapped($0) },
            succeeding.then { $0 }, succeeding.then { Result.success(value: $0) }, succeeding.then { wrapped($0) },
            succeeding.then { _ -> Result<Int> in .failure(error: Mishap()) },
        ]
        for child in children {
            child.onSuccess { log("\($0)") }.onError { log("\($0)") }
            child.resolve(result: 9)
        }
        failing.resolve(error: Mishap())
        succeeding.resolve(result: 1)
        for child in children { child.onSuccess { log("\($0)") } }
        #expect(log.events == Array(repeating: "9", count: 2 * children.count))
    }

    @Test("TRAP: after its end a promise retains no captures, even while it is retained itself")
    func released() {
        let promises = [Promise<Int>(), Promise<Int>()]
        weak var captured: LifetimeToken?
        do {
            let token = LifetimeToken()
            captured = token
            for promise in promises {
                promise.onSuccess { _ in _ = token }.onError { _ in _ = token }.onComplete { _ in _ = token }
                promise.then { _ in _ = token }.onSuccess { _ = token }
                promise.then { _ in Result<LifetimeToken>.success(value: token) }.onSuccess { _ in }
                promise.then { _ in wrapped(token) }.onSuccess { _ in }
            }
        }
        #expect(captured != nil)
        promises[0].resolve(result: 1)
        promises[1].resolve(error: Mishap())
        #expect(captured == nil)
        withExtendedLifetime(promises) {}
    }

    @Test("TRAP: each callback is released before the next is called")
    func releasedOneByOne() {
        let promise = Promise<Int>(), log = log
        weak var captured: LifetimeToken?
        do {
            let token = LifetimeToken()
            captured = token
            promise.onSuccess { _ in _ = token }
        }
        let observed = Weak(captured)
        promise.onSuccess { _ in log(observed.object == nil ? "free" : "held") }
        #expect(observed.object != nil)
        promise.resolve(result: 1)
        #expect(log.events == ["free"])
    }

    @Test("An unresolved promise that nobody retains is released, with its captures")
    func dropped() {
        weak var captured: LifetimeToken?
        do {
            let token = LifetimeToken(), promise = Promise<Int>()
            captured = token
            promise.then { _ in token }.onSuccess { _ in _ = token }
        }
        #expect(captured == nil)
    }

    @Test("A mapper that returns the promise that waits for it ends that promise with an error")
    func waitingForItself() {
        let promise = Promise<Int>(), log = log
        let place = Locked<Promise<Int>?>(nil)
        let next = promise.then { _ -> Promise<Int> in place.withLock { $0.take() } ?? Promise() }
        place.withLock { $0 = next }
        next.onError { log("\($0)") }
        promise.resolve(result: 1)
        #expect(log.events == ["waitsForItself"])
    }

    @Test("DEPTH: a chain of a hundred thousand links runs on a stack of 512 KB")
    func depth() async {
        let (first, last) = (Promise<Int>(), Locked(Promise<Int>()))
        // Retained, so that the links are released one by one.
        var links = [first]
        for _ in 0..<100_000 { links.append(links[links.count - 1].then { $0 + 1 }) }
        last.withLock { $0 = links[links.count - 1] }
        let log = log
        await onSmallStack {
            first.resolve(result: 0)
            last.withLock { $0 }.then { log("\($0)") }.onSuccess {}
        }
        withExtendedLifetime(links) {}
        #expect(log.events == ["100000"])
    }

    @Test("DEPTH: a chain of a hundred thousand promises that have ended resolves on a stack of 512 KB")
    func resolvedDepth() async {
        let first = Promise<Int>(), log = log
        let last = Locked(first)
        for _ in 0..<100_000 { last.withLock { last in last = last.then { wrapped($0 + 1) } } }
        await onSmallStack {
            first.resolve(result: 0)
            last.withLock { $0 }.then { log("\($0)") }.onSuccess {}
        }
        #expect(log.events == ["100000"])
    }

    @Test("DEPTH: an unresolved chain of a hundred thousand links is dropped on a stack of 512 KB")
    func dropDepth() async {
        let released = await onSmallStack { Self.droppedChain() }
        #expect(released.object == nil)
    }

    /// A capture of a chain's last link. Only the chain retains it when this returns.
    private nonisolated static func droppedChain() -> Weak<LifetimeToken> {
        let token = LifetimeToken()
        var first: Promise<Int>? = Promise<Int>()
        // Each link but the first is retained only by the one before it.
        if var last = first {
            for _ in 0..<100_000 { last = last.then { wrapped($0 + 1) } }
            last.onSuccess { _ in withExtendedLifetime(token) {} }
        }
        first = nil
        return Weak(token)
    }

    @Test("DEPTH: a loop of promises that each wait for the next unwinds on a small stack")
    func loop() async {
        let end = Promise<Int>(), log = log
        let outermost = Locked(end)
        var links = [end]
        for _ in 0..<100_000 {
            let inner = links[links.count - 1]
            links.append(wrapped(0).then { _ in inner })
        }
        outermost.withLock { [links] in $0 = links[links.count - 1] }
        await onSmallStack {
            end.resolve(result: 3)
            outermost.withLock { $0 }.then { log("\($0)") }.onSuccess {}
        }
        withExtendedLifetime(links) {}
        #expect(log.events == ["3"])
    }
}

/// A promise that has ended with a value.
func wrapped<Value>(_ value: Value) -> Promise<Value> {
    let promise = Promise<Value>()
    promise.resolve(result: value)
    return promise
}
