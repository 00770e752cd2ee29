import Foundation
import PewPew
import TestSupport
import Testing

@Suite("A legacy future", .timeLimit(.minutes(10)))
@MainActor
struct LegacyFutureTests {
    private let log = EventLog()

    private func observed<T: Sendable>(_ future: ResponseFuture<T>) -> ResponseFuture<T> {
        let log = log
        return
            future
            .response { log("response \($0)") }
            .error { log("error \($0)") }
            .completion { log("completion") }
    }

    @Test("COLD, synchronous: nothing runs before send(), and everything inside it, in order")
    func synchronous() {
        let future = observed(
            ResponseFuture<Int>(action: { [log] future in
                log("action")
                future.succeed(with: 1)
            }))
        #expect(log.events == [])
        #expect(future.status == .created)
        let same = future.send()
        log("after send")
        #expect(same === future)
        #expect(log.events == ["action", "response 1", "completion", "after send"])
        #expect(future.status == .success)
    }

    @Test("MAIN: if a future is settled off main, callbacks and transforms still run on main")
    func offMain() async {
        let future = ResponseFuture<Int>(action: { future in
            DispatchQueue.global().async { future.succeed(with: 1) }
        })
        future.then { _ in MainQueue.isCurrent }
            .response { [log] isMain in log("on main: \(isMain), \(MainQueue.isCurrent)") }
            .completion { [log] in log("completion") }
            .start()
        #expect(await log.all(2) == ["on main: true, true", "completion"])
    }

    @Test("SETTLE: the first of several outcomes counts, with one completion")
    func once() {
        observed(
            ResponseFuture<Int>(action: { future in
                future.succeed(with: 1)
                future.fail(with: Mishap())
                future.succeed(with: 2)
                throw Mishap()
            })
        ).send()
        #expect(log.events == ["response 1", "completion"])
    }

    @Test("SETTLE: an outcome after the end changes nothing, also for callbacks attached since")
    func late() async throws {
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 1) })
        future.send()
        observed(future).fail(with: Mishap())
        #expect(log.events == [])
        #expect(future.status == .success)
        #expect(try await future.value == 1)
    }

    @Test("THROW: what the action or the response callback throws goes to error, then completion")
    func throwing() {
        observed(ResponseFuture<Int>(action: { _ in throw Mishap(number: 1) })).send()
        let future = observed(ResponseFuture<Int>(action: { $0.succeed(with: 1) }))
            .response { _ in throw Mishap(number: 2) }
        future.send()
        #expect(log.events == ["error Mishap(number: 1)", "completion", "error Mishap(number: 2)", "completion"])
        #expect(future.status == .error)
    }

    @Test("SLOT: attaching replaces, and an operator takes over all but the completion")
    func slots() {
        ResponseFuture<Int>(action: { $0.succeed(with: 1) })
            .response { [log] _ in log("replaced") }
            .response { [log] _ in log("parent") }
            .completion { [log] in log("parent's completion") }
            .then { $0 + 1 }
            .response { [log] in log("child \($0)") }
            .completion { [log] in log("child's completion") }
            .send()
        #expect(log.events == ["child 2", "child's completion", "parent's completion"])
    }

    @Test("SLOT: an operator also takes over the callbacks of a parent that runs already")
    func slotsOfRunning() {
        let parent = ResponseFuture<Int>(action: { _ in })
            .response { [log] in log("parent \($0)") }
            .error { [log] _ in log("parent's error") }
            .completion { [log] in log("parent's completion") }
            .send()
        parent.then { $0 + 1 }.response { [log] in log("child \($0)") }.send()
        parent.then { $0 + 2 }.response { [log] in log("child \($0)") }.send()
        parent.succeed(with: 1)
        #expect(log.events == ["child 2", "child 3", "parent's completion"])
    }

    @Test("then, replace, join and await pass the value on, and any error to the end")
    func operators() {
        let one = { ResponseFuture<Int>(action: { $0.succeed(with: 1) }) }
        let failing = { ResponseFuture<Int>(action: { $0.fail(with: Mishap()) }) }
        observed(one().then { "\($0)" }.replace { text in one().then { text + "\($0)" } }).send()
        one().join { value in one().then { value + $0 } }.response { [log] in log("\($0) and \($1)") }.send()
        observed(one().await { _ in one() }).send()
        observed(one().await { _ -> ResponseFuture<Int>? in nil }).send()
        #expect(
            log.events == [
                "response 11", "completion", "1 and 2", "response 1", "completion", "response 1", "completion",
            ])

        let error = ["error Mishap(number: 0)", "completion"]
        let futures = [
            failing().then { $0 }, one().then { _ -> Int in throw Mishap() },
            one().replace { _ in failing() }, one().replace { _ -> ResponseFuture<Int> in throw Mishap() },
            one().join { _ in failing() }.then { $0.0 }, one().await { _ in failing() },
            one().await { _ -> ResponseFuture<Int>? in throw Mishap() },
        ]
        for (index, future) in futures.enumerated() {
            observed(future).send()
            #expect(Array(log.events.suffix(2)) == error, "future \(index)")
        }
    }

    @Test("fulfill(_:) sends the future, and settles the other one with its outcome")
    func fulfill() {
        let other = observed(ResponseFuture<Int>(action: { _ in }))
        ResponseFuture<Int>(action: { $0.succeed(with: 7) }).fulfill(other)
        #expect(log.events == ["response 7", "completion"])
    }

    @Test("NEVER-HANG: a future that waits for itself fails, alone or in a circle")
    func waitsForItself() {
        let released: Weak<ResponseFuture<Int>>
        do {
            let one = { ResponseFuture<Int>(action: { $0.succeed(with: 1) }) }
            let future = observed(ResponseFuture<Int>(action: { $0.fulfill($0) }))
            released = Weak(future)
            future.send()
            let unsent = observed(ResponseFuture<Int>(action: { _ in }))
            unsent.fulfill(unsent)
            let own = Box<ResponseFuture<Int>>()
            let replaced = one().replace { _ in own.value ?? one() }, awaited = one().await { _ in own.value }
            for future in [replaced, awaited, one().join { _ in own.value ?? one() }.then { $0.0 }] {
                own.value = future
                observed(future).send()
            }
            let first = Box<ResponseFuture<Int>>(), second = Box<ResponseFuture<Int>>()
            first.value = observed(one().replace { _ in second.value ?? one() }.then { $0 })
            second.value = one().then { $0 }.await { _ in first.value }
            first.value?.send()
            own.value = nil
            first.value = nil
        }
        #expect(log.events == Array(repeating: ["error waitsForItself", "completion"], count: 6).flatMap(\.self))
        #expect(released.object == nil)
    }

    @Test("A second send() starts no second run, neither during the first nor after it")
    func sendTwice() {
        let running = Box<ResponseFuture<Int>>()
        let future = observed(
            ResponseFuture<Int>(action: { [log] future in
                log("action")
                running.value = future
            }))
        future.send()
        future.send()
        running.value?.succeed(with: 1)
        future.send()
        #expect(log.events == ["action", "response 1", "completion"])
    }

    @Test("With a callback attached after the end the action runs again")
    func runAgain() {
        let runs = Counter()
        let future = ResponseFuture<Int>(action: { $0.succeed(with: runs.increment()) }).then { $0 * 10 }
        observed(future).send()
        observed(future).send()
        #expect(log.events == ["response 10", "completion", "response 20", "completion"])
    }

    @Test("A completion may send the future again, as for a retry")
    func runAgainFromCompletion() {
        let runs = Counter()
        let future = ResponseFuture<Int>(action: { future in
            if runs.increment() == 1 { throw Mishap() }
            future.succeed(with: 2)
        })
        future.completion { [log, weak future] in
            log("again")
            future?.response { log("response \($0)") }.send()
        }.send()
        #expect(log.events == ["again", "response 2"])
    }

    @Test("NEVER-HANG: sent again by an outcome's callback, with new callbacks, it runs again after the completion")
    func runAgainFromOutcome() {
        for fails in [true, false] {
            let runs = Counter(), log = EventLog()
            let future = ResponseFuture<Int>(action: { future in
                if runs.increment() == 1, fails { throw Mishap() }
                future.succeed(with: runs.value)
            })
            let again: @MainActor () -> Void = { [weak future] in
                log("again")
                future?.response { log("response \($0)") }.completion { log("completion 2") }.send()
            }
            future.response { _ in again() }.error { _ in again() }.completion { log("completion") }.send()
            #expect(log.events == ["again", "completion", "response 2", "completion 2"])
            #expect(runs.value == 2)
        }
    }

    @Test("Sent again by a callback without new callbacks, it doesn't run again")
    func notAgain() {
        let runs = Counter()
        let future = ResponseFuture<Int>(action: { future in
            runs.increment()
            future.succeed(with: 1)
        })
        future.response { [weak future] _ in future?.send() }.send()
        #expect(runs.value == 1)
        future.response { _ in }.send()
        #expect(runs.value == 2)
    }

    @Test("RELEASE: after a run the callbacks are released, even while the future is retained")
    func release() {
        let future: ResponseFuture<Int>
        let released: Weak<LifetimeToken>
        do {
            let token = LifetimeToken()
            released = Weak(token)
            future = ResponseFuture<Int>(action: { $0.succeed(with: 1) })
                .response { _ in withExtendedLifetime(token) {} }
                .error { _ in withExtendedLifetime(token) {} }
                .completion { withExtendedLifetime(token) {} }
            #expect(released.object != nil)
        }
        future.send()
        #expect(released.object == nil)
        withExtendedLifetime(future) {}
    }

    @Test("RELEASE: a future whose callbacks retain its owner is no cycle after its end")
    func noCycle() {
        final class Owner: Sendable {
            let future = Box<ResponseFuture<Int>>()
        }
        let released: Weak<Owner>
        do {
            let owner = Owner()
            released = Weak(owner)
            owner.future.value = ResponseFuture<Int>(action: { $0.succeed(with: 1) })
                .response { _ in owner.future.value?.fulfill(ResponseFuture(action: { _ in })) }
                .send()
        }
        #expect(released.object == nil)
    }

    @Test("UNSENT: a future that was never sent is released at once, with its chain")
    func unsent() {
        let released: Weak<LifetimeToken>
        do {
            let token = LifetimeToken()
            released = Weak(token)
            _ = ResponseFuture<Int>(action: { _ in withExtendedLifetime(token) {} }).then { $0 }
                .join { _ in ResponseFuture<Int>(action: { _ in }) }
        }
        #expect(released.object == nil)
    }

    @Test("NEVER-HANG: a future that nobody can settle any more fails, as does a chain made of it")
    func abandoned() {
        observed(ResponseFuture<Int>(file: "File", line: 7, action: { _ in })).send()
        observed(
            ResponseFuture<Int>(file: "File", line: 8, action: { _ in })
                .then { $0 }.await { _ -> ResponseFuture<Int>? in nil }
        ).send()
        #expect(
            log.events == [
                #"error abandoned(file: "File", line: 7)"#, "completion",
                #"error abandoned(file: "File", line: 8)"#, "completion",
            ])
    }

    @Test("A future may be settled from outside, as long as somebody retains it")
    func settledFromOutside() {
        let future = observed(ResponseFuture<Int>(action: { _ in }))
        future.send()
        #expect(log.events == [])
        #expect(future.status == .started)
        future.succeed(with: 3)
        #expect(log.events == ["response 3", "completion"])
    }

    @Test("SETTLE: many threads that settle at once produce one outcome")
    func settledFromManyThreads() async {
        let future = observed(ResponseFuture<Int>(action: { _ in }))
        future.send()
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { future.succeed(with: 1) } }
        }
        #expect(await log.all(2) == ["response 1", "completion"])
    }
}
