import Dispatch
import PiuPiu
import TestSupport
import Testing

@Suite("NEVER-HANG: a future that waits for itself", .timeLimit(.minutes(10)))
struct WaitsForItselfTests {
    /// A future made from an operation's own future, which the operation awaits.
    enum Shape: CaseIterable, Sendable {
        case itself, then, longChain, queued, onMain, thenResult, flatMap, inner, join, side, array, source

        func future(_ own: ResponseFuture<Int>) -> ResponseFuture<Int> {
            switch self {
            case .itself: own
            case .then: own.then { $0 + 1 }
            case .longChain: (0..<1_000).reduce(own) { future, _ in future.then { $0 + 1 } }
            case .queued: own.then(on: .global()) { $0 }
            case .onMain: own.then(on: .main) { $0 }
            case .thenResult: own.thenResult { try $0.get() }
            case .flatMap: own.flatMap { ResponseFuture(result: $0) }
            case .inner: ResponseFuture { 1 }.flatMap { _ in own }
            case .join: own.join(ResponseFuture { 1 }).then { $0.0 }
            case .side: ResponseFuture { 1 }.join(own).then { $0.1 }
            case .array: ResponseFuture<[Int]>(childFutures: [ResponseFuture { 1 }, own]).then { $0.count }
            case .source: ResponseFuture<Int> { (target: ResponseFuture<Int>) in own.fulfill(target) }
            }
        }
    }

    @Test(
        "NEVER-HANG: an operation that awaits its own future, or one made from it, fails", arguments: Shape.allCases,
        [true, false])
    func operation(shape: Shape, isSent: Bool) async {
        let own = Box<ResponseFuture<Int>>(), awaited = Box<ResponseFuture<Int>>(), log = EventLog()
        let future = ResponseFuture { () async throws -> Int in
            guard let awaited = awaited.value else { throw Mishap(number: 1) }
            return try await awaited.value
        }
        own.value = future
        awaited.value = shape.future(future)
        defer {
            future.cancel()
            own.value = nil
            awaited.value = nil
        }
        if isSent {
            future.onFailure { log("error \($0)") }.onSuccess { log("value \($0)") }.send()
            #expect(await log.all(1) == ["error waitsForItself"])
        } else {
            #expect(await Awaiting(now: future).ending == "error waitsForItself")
        }
        #expect(future.status == .error)
    }

    @Test(
        "NEVER-HANG: so does an operation that is started through the future that it awaits", arguments: Shape.allCases)
    func fromBelow(shape: Shape) async {
        let awaited = Box<ResponseFuture<Int>>()
        let future = ResponseFuture { () async throws -> Int in
            guard let awaited = awaited.value else { throw Mishap(number: 1) }
            return try await awaited.value
        }
        let below = shape.future(future)
        awaited.value = below
        #expect(await Awaiting(now: below).ending == "error waitsForItself")
        future.cancel()
        below.cancel()
        awaited.value = nil
    }

    @Test("NEVER-HANG: a future that is fulfilled by one made from it fails, started or not", arguments: Shape.allCases)
    func fulfilledFromBelow(shape: Shape) async {
        for isStarted in [false, true] {
            let future = ResponseFuture<Int> { 1 }, below = shape.future(future)
            below.fulfill(future)
            #expect(await Awaiting(now: future).ending == "error waitsForItself")
            let (pending, promise) = ResponseFuture<Int>.pending()
            if isStarted { pending.send() }
            shape.future(pending).then { $0 }.fulfill(promise)
            #expect(await Awaiting(now: pending).ending == "error waitsForItself")
        }
        let (first, firstPromise) = ResponseFuture<Int>.pending()
        let (second, secondPromise) = ResponseFuture<Int>.pending()
        first.fulfill(secondPromise)
        second.fulfill(firstPromise)
        #expect(await Awaiting(now: first).ending == "error waitsForItself")
        #expect(await Awaiting(now: second).ending == "error waitsForItself")
    }

    @Test("NEVER-HANG: so does one that an operation fulfills that awaits a join of it", arguments: [true, false])
    func fulfilledByAnOperation(isSent: Bool) async {
        let (own, promise) = ResponseFuture<Int>.pending(), other = ResponseFuture { () async -> Int in 1 }
        if isSent { own.send() }
        ResponseFuture { () async throws -> Int in try await own.join(other).value.0 }.fulfill(promise)
        #expect(await Awaiting(now: own).ending == "error waitsForItself")
    }

    @Test("NEVER-HANG: two futures that fulfill each other fail, from two threads at once, too")
    func fulfilledByEachOther() async {
        var generator = SeededGenerator(seed: 14)
        for round in 0..<3_000 {
            let (first, firstPromise) = ResponseFuture<Int>.pending()
            let (second, secondPromise) = ResponseFuture<Int>.pending()
            let lead = Int.random(in: -300...300, using: &generator)
            await onTwoThreads(lead: lead, { first.fulfill(secondPromise) }, { second.fulfill(firstPromise) })
            let endings = [await Awaiting(now: first).ending, await Awaiting(now: second).ending]
            guard endings == Array(repeating: "error waitsForItself", count: 2) else {
                Issue.record("round \(round), lead \(lead): \(endings)")
                return
            }
        }
    }

    @Test(
        "NEVER-HANG: so does one that is fulfilled from below while that starts, on another thread",
        arguments: Shape.allCases)
    func fulfilledWhileItStarts(shape: Shape) async {
        var generator = SeededGenerator(seed: 15)
        for round in 0..<300 {
            let (pending, promise) = ResponseFuture<Int>.pending()
            let below = shape.future(pending)
            let lead = Int.random(in: -300...300, using: &generator)
            await onTwoThreads(lead: lead, { below.send() }, { below.fulfill(promise) })
            let endings = [await Awaiting(now: below).ending, await Awaiting(now: pending).ending]
            guard endings == Array(repeating: "error waitsForItself", count: 2) else {
                Issue.record("round \(round), lead \(lead): \(endings)")
                return
            }
        }
    }

    @Test("NEVER-HANG: so does an ensure closure that awaits its own chain", arguments: [true, false])
    func ensuring(isSent: Bool) async {
        let own = Box<ResponseFuture<Int>>(), log = EventLog()
        let future = ResponseFuture { 1 }
            .ensure { log(await own.value?.ending ?? "nothing") }
            .then { number async throws in number }
        own.value = future
        if isSent { future.send() }
        #expect(await Awaiting(now: future).ending == "value 1")
        #expect(await log.all(1) == ["error waitsForItself"])
        own.value = nil
    }

    /// The operation begins to wait for the join while a thread of the join begins the operation's future as a part.
    @Test(
        "NEVER-HANG: so does an operation that awaits a join of its own future, in whatever order their waits begin",
        arguments: [Shape.join, .side, .array])
    func besideWorkers(shape: Shape) async {
        for round in 0..<500 {
            let awaited = Box<ResponseFuture<Int>>()
            let future = ResponseFuture { () async throws -> Int in
                guard let awaited = awaited.value else { throw Mishap(number: 1) }
                return try await awaited.value
            }
            awaited.value = shape.future(future)
            let ending = await Awaiting(now: future).ending
            future.cancel()
            awaited.value = nil
            guard ending == "error waitsForItself" else {
                Issue.record("round \(round): \(ending)")
                return
            }
        }
    }

    @Test("NEVER-HANG: an operation may start work that awaits its own future; both get their values")
    func notWaiting() async {
        let own = Box<ResponseFuture<Int>>(), log = EventLog()
        let future = ResponseFuture { () async throws -> Int in
            if let own = own.value {
                Task { log(await own.ending) }
                own.then { $0 + 1 }.onSuccess { log("value \($0)") }.send()
            }
            await Task {}.value
            return 1
        }
        own.value = future
        #expect(await Awaiting(now: future).ending == "value 1")
        #expect(await log.all(2).sorted() == ["value 1", "value 2"])
        own.value = nil
    }

    @Test("NEVER-HANG: awaiting a future that others await too is no wait for oneself")
    func sharedWait() async {
        let shared = ResponseFuture {
            await Task {}.value
            return 1
        }
        let future = ResponseFuture { try await shared.value + shared.then { $0 }.value }
        let below = future.then { $0 }.join(shared).then { $0 + $1 }
        #expect(await Awaiting(now: below).ending == "value 3")
    }
}

@Suite("NEVER-HANG: an action whose callbacks hold its promise", .timeLimit(.minutes(10)))
struct PromiseInCallbackTests {
    enum Callback: CaseIterable, Sendable {
        case onCompletion, onSuccess, onFailure, onCancellation, onUpdate, completion, success, error, cancellation,
            updated, all

        func attach(to promise: ResponseFuture<Int>) {
            let use = { @Sendable in _ = promise.status }
            switch self {
            case .onCompletion: _ = promise.onCompletion { use() }
            case .onSuccess: _ = promise.onSuccess { _ in use() }
            case .onFailure: _ = promise.onFailure { _ in use() }
            case .onCancellation: _ = promise.onCancellation { use() }
            case .onUpdate: _ = promise.onUpdate { _ in use() }
            case .completion: _ = promise.completion { use() }
            case .success: _ = promise.success { _ in use() }
            case .error: _ = promise.error { _ in use() }
            case .cancellation: _ = promise.cancellation { use() }
            case .updated: _ = promise.updated { _ in use() }
            case .all: for callback in Self.allCases where callback != .all { callback.attach(to: promise) }
            }
        }
    }

    @Test("NEVER-HANG: a promise that is also held elsewhere is not abandoned", arguments: Callback.allCases)
    func heldElsewhere(callback: Callback) async {
        let kept = Box<ResponseFuture<Int>>(), log = EventLog()
        let future = ResponseFuture<Int> { promise in
            callback.attach(to: promise)
            kept.value = promise
        }
        future.onCompletion { log("completion") }.send()
        #expect(future.status == .started)
        kept.value?.succeed(with: 1)
        #expect(await log.all(1) == ["completion"])
        #expect(future.status == .success)
        kept.value = nil
    }
}
