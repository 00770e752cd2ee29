import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Life of a future", .timeLimit(.minutes(10)))
struct LifeTests {
    @Test("COLD: building and chaining runs nothing")
    func cold() {
        let log = EventLog()
        let future = ResponseFuture<Int> { future in
            log("action")
            future.succeed(with: 1)
        }
        let chained = future.then { log("then \($0)") }.replace { ResponseFuture(result: log("replace")) }
        #expect(future.status == .created)
        #expect(chained.status == .created)
        #expect(log.events.isEmpty)
    }

    @Test("COLD: starting a chained future starts those above it")
    func chainedStart() async throws {
        let future = ResponseFuture<Int> { $0.succeed(with: 20) }
        #expect(try await future.then { $0 + 1 }.then { $0 * 2 }.value == 42)
        #expect(future.status == .success)
    }

    @Test("ONCE: one run serves callbacks, awaiters and branches")
    func once() async throws {
        let runs = Counter(), transforms = Counter(), log = EventLog()
        let future = ResponseFuture { runs.increment() }.then { number in
            transforms.increment()
            return number
        }
        let branch = future.then { $0 * 10 }, other = future.then { $0 * 100 }
        future.success { log("success \($0)") }.send()
        future.send()
        async let first = future.value
        async let second = future.value
        async let third = branch.value
        async let fourth = other.value
        #expect(try await [first, second, third, fourth] == [1, 1, 10, 100])
        await log.wait(for: 1)
        #expect(log.events == ["success 1"])
        #expect(runs.value == 1)
        #expect(transforms.value == 1)
    }

    @Test("ONCE: a second send of a legacy action changes nothing, during the run and after it")
    func sendTwice() async throws {
        let runs = Counter(), promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { future in
            runs.increment()
            promise.value = future
        }
        future.send()
        future.send()
        #expect(future.status == .started)
        promise.value?.succeed(with: 7)
        #expect(try await future.value == 7)
        future.send()
        #expect(future.status == .success)
        #expect(runs.value == 1)
    }

    @Test("SETTLE: the first settlement wins, whatever comes later")
    func settleOnce() async throws {
        let future = ResponseFuture<Int> { future in
            future.succeed(with: 1)
            future.fail(with: Mishap())
            future.cancel()
            future.complete(with: .success(2))
            future.succeed(with: 3)
        }
        #expect(await future.ending == "value 1")
        future.cancel()
        future.fail(with: Mishap())
        #expect(future.status == .success)
        #expect(await future.ending == "value 1")
    }

    @Test("SETTLE: if many threads settle one future at once, one wins and all awaiters agree")
    func settleFromManyThreads() async {
        for round in 0..<200 {
            let promise = Box<ResponseFuture<Int>>()
            let future = ResponseFuture<Int> { promise.value = $0 }
            future.send()
            let endings = await withTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        switch number % 4 {
                        case 0: future.succeed(with: number)
                        case 1: promise.value?.fail(with: Mishap(number: number))
                        case 2: future.cancel()
                        default: return await future.ending
                        }
                        return nil
                    }
                }
                return await group.reduce(into: Set<String>()) { if let ending = $1 { $0.insert(ending) } }
            }
            #expect(endings.count == 1, "round \(round)")
        }
    }

    @Test("SETTLE: a future settled before its start never runs")
    func settledBeforeStart() async {
        let runs = Counter()
        let future = ResponseFuture<Int> { _ in runs.increment() }
        future.succeed(with: 5)
        future.send()
        #expect(await future.ending == "value 5")
        #expect(runs.value == 0)
    }

    @Test("RELEASE: a future settled before its start releases its work at once")
    func settledUnsent() {
        var token: LifetimeToken? = LifetimeToken()
        let weakToken = Weak(token ?? LifetimeToken())
        let future = ResponseFuture<Int> { [token] _ in withExtendedLifetime(token) {} }
            .then { [token] number in withExtendedLifetime(token) { number } }
        token = nil
        future.succeed(with: 5)
        #expect(weakToken.object == nil)
    }

    @Test("MEMO: a settled future keeps its outcome, for late awaiters, branches and callbacks")
    func memo() async throws {
        let log = EventLog()
        let future = ResponseFuture { 7 }
        _ = try await future.value
        #expect(try await future.value == 7)
        #expect(try await future.then { $0 + 1 }.value == 8)
        _ = future.success { log("success \($0)") }
        await log.wait(for: 1)
        _ = future.completion { log("completion") }
        #expect(await log.all(2) == ["success 7", "completion"])

        let failed = ResponseFuture<Int>(error: Mishap(number: 3))
        #expect(await failed.ending == "error Mishap(number: 3)")
        _ = failed.error { log("\($0)") }
        #expect(await log.all(3).last == "Mishap(number: 3)")
    }

    @Test("UNSENT: a future that was never started is released at once, with all it captured")
    func unsent() {
        var token: LifetimeToken? = LifetimeToken()
        let weakToken = Weak(token ?? LifetimeToken())
        var future: ResponseFuture<Int>? = ResponseFuture { [token] in
            withExtendedLifetime(token) { 1 }
        }
        .then { [token] number in withExtendedLifetime(token) { number } }
        .success { [token] _ in withExtendedLifetime(token) {} }
        .completion { [token] in withExtendedLifetime(token) {} }
        let weakFuture = Weak<AnyResponseFuture>(future ?? ResponseFuture(result: 0))
        token = nil
        #expect(weakToken.object != nil)
        #expect(future?.status == .created)
        future = nil
        #expect(weakFuture.object == nil)
        #expect(weakToken.object == nil)
    }

    @Test("UNSENT: a future that was cancelled instead of sent releases its work at once")
    func cancelledUnsent() {
        var token: LifetimeToken? = LifetimeToken()
        let weakToken = Weak(token ?? LifetimeToken())
        let future = ResponseFuture<Int> { [token] _ in withExtendedLifetime(token) {} }
            .then { [token] number in withExtendedLifetime(token) { number } }
        token = nil
        future.cancel()
        #expect(weakToken.object == nil)
    }

    @MainActor
    @Test("RELEASE: by the end of the last callback's turn all captures are released, though the future stays")
    func release() async {
        for operation in [true, false] {
            var token: LifetimeToken? = LifetimeToken()
            let weakToken = Weak(token ?? LifetimeToken())
            let root: ResponseFuture<Int> =
                if operation {
                    ResponseFuture { [token] in withExtendedLifetime(token) { 1 } }
                } else {
                    ResponseFuture { [token] future in withExtendedLifetime(token) { future.succeed(with: 1) } }
                }
            let future =
                root
                .then { [token] number in withExtendedLifetime(token) { number } }
                .replace { [token] number in withExtendedLifetime(token) { ResponseFuture(result: number) } }
                .then(on: .main) { [token] number in withExtendedLifetime(token) { number } }
                .success { [token] _ in withExtendedLifetime(token) {} }
                .error { [token] _ in withExtendedLifetime(token) {} }
                .updated { [token] _ in withExtendedLifetime(token) {} }
                .cancellation { [token] in withExtendedLifetime(token) {} }
            token = nil
            await withCheckedContinuation { continuation in
                future.completion { DispatchQueue.main.async { continuation.resume() } }.send()
            }
            #expect(weakToken.object == nil)
            #expect(future.status == .success)
        }
    }

    @Test("RELEASE: a legacy action's future is retained while the action's work goes on, then released")
    func keptWhilePending() async {
        let promise = Box<ResponseFuture<Int>>(), log = EventLog()
        var future: ResponseFuture<Int>? = ResponseFuture { promise.value = $0 }
        let weakFuture = Weak<AnyResponseFuture>(future ?? ResponseFuture(result: 0))
        future?.completion { log("completion") }.send()
        future = nil
        #expect(weakFuture.object != nil)
        promise.value?.succeed(with: 1)
        promise.value = nil
        await log.wait(for: 1)
        // The future is released in the turn of its last callback.
        await MainActor.run {}
        #expect(weakFuture.object == nil)
    }

    @Test("SYNC-START: a legacy action runs inside send(), on its thread, also at the root of a chain; callbacks don't")
    func syncStart() async {
        let log = EventLog(), caller = Box<ObjectIdentifier>()
        let future = ResponseFuture<Int> { future in
            log("action \(ObjectIdentifier(Thread.current) == caller.value)")
            future.succeed(with: 1)
        }
        .then { log("then \($0)") }
        .success { log("success") }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                caller.value = ObjectIdentifier(Thread.current)
                future.send()
                log("sent")
                continuation.resume()
            }
        }
        let events = await log.all(4)
        #expect(events.first == "action true")
        #expect(Set(events.dropFirst()) == ["sent", "then 1", "success"])
    }

    @MainActor
    @Test("SYNC-START: a legacy action of a future made by replace or seriesJoin runs on the main actor too")
    func syncStartOfInnerFutures() async throws {
        func inner(_ log: EventLog) -> ResponseFuture<Int> {
            ResponseFuture<Int> { future in
                log("action \(MainQueue.isCurrent)")
                future.succeed(with: 1)
            }
            .then { $0 }
        }
        let log = EventLog()
        let kept = inner(log)
        _ = try await ResponseFuture(result: 0).replace { _ in inner(log) }.value
        _ = try await ResponseFuture(result: 0).seriesJoin { _ in inner(log) }.value
        _ = try await ResponseFuture(result: 0).replace { _ in kept }.value
        #expect(log.events == ["action true", "action true", "action true"])
    }

    @Test("A transform is given as a trailing closure, in parentheses, or as a function")
    func transformForms() async throws {
        @Sendable func double(_ number: Int) -> Int { number * 2 }
        @Sendable func future(_ number: Int) -> ResponseFuture<Int> { ResponseFuture(result: number) }
        let chain = ResponseFuture(result: 1)
            .then({ $0 + 1 }).then(double).then(Int.self) { $0 + 1 }.then(Int.self, double)
            .flatMap(future).flatMap({ future($0) }).flatMap(Int.self, future)
            .flatJoin(future).then { $0.0 + $0.1 }
        #expect(try await chain.value == 20)
    }
}
