import Dispatch
import Foundation
import PewPew
import TestSupport
import Testing

/// A callback that sends its future again.
private enum Caller: CaseIterable, Sendable {
    case response, error, completion
}

/// Sends a future `count` times, the first time from outside.
private struct Retry: Sendable {
    let feed: ResponseFuture<Int>
    let log: EventLog
    let count: Int
    /// Who sends it again, by the number of the attempt.
    let caller: @Sendable (Int) -> Caller

    @MainActor
    func send(attempt: Int = 1) {
        let again: @MainActor (Caller) -> Void = { place in
            if place == caller(attempt), attempt < count { send(attempt: attempt + 1) }
        }
        feed.response { value in
            log("\(value)")
            again(.response)
        }
        .error { error in
            log("\(error)")
            again(.error)
        }
        .completion { again(.completion) }
        .send()
    }
}

extension DispatchSemaphore {
    /// Blocks the thread until there is a signal; false if there is none in time.
    fileprivate func wait(within time: DispatchTimeInterval) -> Bool { wait(timeout: .now() + time) == .success }
}

@Suite("A legacy chain that one of its own callbacks sends again", .timeLimit(.minutes(10)))
@MainActor
struct LegacyRetryTests {
    private let log = EventLog()

    @Test(
        "It makes a new request each time, whether or not the outcome is there at once",
        arguments: Caller.allCases, [true, false])
    private func newRequests(_ caller: Caller, isLate: Bool) async {
        let requests = Counter()
        let feed = ResponseFuture<Int>(action: { future in
            let number = requests.increment()
            let settle: @Sendable () -> Void = {
                if caller == .error { future.fail(with: Mishap(number: number)) } else { future.succeed(with: number) }
            }
            if isLate { DispatchQueue.main.async { settle() } } else { settle() }
        }).then { $0 }
        Retry(feed: feed, log: log, count: 3, caller: { _ in caller }).send()
        let outcomes = (1...3).map { caller == .error ? "\(Mishap(number: $0))" : "\($0)" }
        #expect(await log.all(3) == outcomes)
        #expect(requests.value == 3)
    }

    @Test(
        "DEPTH: it is sent again a hundred thousand times, by each callback in turn, and each outcome is there at once",
        arguments: [false, true])
    func depth(isChained: Bool) {
        let count = 100_000, requests = Counter()
        let caller: @Sendable (Int) -> Caller = { Caller.allCases[$0 % Caller.allCases.count] }
        let base = ResponseFuture<Int>(action: { future in
            let number = requests.increment()
            if caller(number) == .error { throw Mishap(number: number) }
            future.succeed(with: number)
        })
        Retry(feed: isChained ? base.then { $0 } : base, log: log, count: count, caller: caller).send()
        #expect(requests.value == count)
        #expect(log.events.count == count)
    }

    @Test("Another child of the same parent gets the outcome that it has waited for")
    func sibling() {
        let requests = Counter(), running = Box<ResponseFuture<Int>>()
        let parent = ResponseFuture<Int>(action: { future in
            requests.increment()
            running.value = future
        })
        let first = parent.then { $0 }, second = parent.then { $0 }
        first.error { [log] error in
            log("first \(error)")
            first.response { log("first \($0)") }.send()
        }.send()
        second.error { [log] in log("second \($0)") }.send()
        running.value?.fail(with: Mishap(number: 1))
        #expect(log.events == ["first \(Mishap(number: 1))", "second \(Mishap(number: 1))"])
        #expect(requests.value == 2)
        running.value?.succeed(with: 2)
        #expect(log.events.last == "first 2")
    }

    @Test("INTEREST: a parent that was sent from there isn't cancelled with a child that begins its run")
    func sentParent() async {
        let running = Box<ResponseFuture<Int>>()
        let parent = ResponseFuture<Int>(action: { running.value = $0 })
        parent.then { $0 }.error { [log] _ in
            parent.completion { log("completion") }.send()
            let awaited = parent.then { $0 }.error { _ in log("cancelled") }.piuPiuFuture()
            awaited.send()
            awaited.cancel()
        }.send()
        running.value?.fail(with: Mishap())
        #expect(await log.all(1) == ["cancelled"])
        #expect(parent.status == .started)
        running.value?.succeed(with: 2)
        #expect(log.events == ["cancelled", "completion"])
    }

    @Test("SETTLE: the value of an earlier request, which waits for the main actor, isn't that of a later one")
    func lateValue() async {
        let running = Box<ResponseFuture<Int>>(), isSettled = DispatchSemaphore(value: 0)
        let feed = ResponseFuture<Int>(action: { running.value = $0 }).then { $0 }
        feed.completion {}.send()
        // The transform needs the main actor, which is busy here.
        DispatchQueue.global().async {
            running.value?.succeed(with: 1)
            isSettled.signal()
        }
        #expect(isSettled.wait(within: .seconds(300)))
        feed.fail(with: Mishap())
        feed.response { [log] in log("\($0)") }.error { [log] in log("\($0)") }.send()
        DispatchQueue.main.async { running.value?.succeed(with: 2) }
        #expect(await log.all(1) == ["2"])
    }

    @Test("SETTLE: the value of a callback that ends its run, and begins another one, isn't that of the other one")
    func valueAfterEnd() {
        let running = Box<ResponseFuture<Int>>(), again = Box<@MainActor () -> Void>()
        let feed = ResponseFuture<Int>(action: { running.value = $0 }).then { value in
            if value == 1 { again.value?() }
            return value
        }
        again.value = { [log] in
            feed.fail(with: Mishap())
            feed.response { log("\($0)") }.send()
        }
        feed.completion {}.send()
        running.value?.succeed(with: 1)
        #expect(log.events == [])
        running.value?.succeed(with: 2)
        #expect(log.events == ["2"])
        again.value = nil
    }

    @Test("SETTLE: what an action throws after its outcome doesn't end the run that a callback has begun meanwhile")
    func throwingAfterOutcome() {
        let requests = Counter(), running = Box<ResponseFuture<Int>>()
        let feed = ResponseFuture<Int>(action: { future in
            guard requests.increment() == 1 else {
                running.value = future
                return
            }
            future.succeed(with: 1)
            throw Mishap()
        }).then { $0 }
        Retry(feed: feed, log: log, count: 2, caller: { _ in .response }).send()
        #expect(log.events == ["1"])
        #expect(feed.status == .started)
        running.value?.succeed(with: 2)
        #expect(log.events == ["1", "2"])
    }
}
