import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

/// A user's own actor, whose methods form the closures.
private actor Library {
    private var lines: [String] = []
    private let log: EventLog

    init(log: EventLog) {
        self.log = log
    }

    private func note(_ line: String) {
        assertIsolated()
        lines.append(line)
        log(line)
    }

    func load(_ future: ResponseFuture<Int>) {
        future
            .onUpdate { _ in self.note("update") }
            .onSuccess { self.note("success \($0)") }
            .onFailure { self.note("failure \($0)") }
            .onCancellation { self.note("cancellation") }
            .onCompletion { self.note("completion") }
            .send()
    }

    func attach(_ number: Int, to future: ResponseFuture<Int>) {
        _ = future.onSuccess { _ in self.note("\(number) \(MainQueue.isCurrent)") }
    }

    /// Settles and cancels in one turn of the actor, with `turns` of idle work in between. Meanwhile the outcome may
    /// get as far as this actor's queue.
    func cancelDuring(_ future: ResponseFuture<Int>, settling promise: ResponseFuture<Int>, turns: Int) {
        load(future)
        promise.succeed(with: 1)
        for _ in 0..<turns { _ = log.events.count }
        future.cancel()
    }
}

@Suite("ANY-ACTOR", .timeLimit(.minutes(10)))
struct AnyActorCallbackTests {
    @Test("Callbacks formed in an actor run on that actor, in order")
    func ownActor() async {
        let log = EventLog(), library = Library(log: log)
        await library.load(
            ResponseFuture { future in
                future.update(with: TransferUpdate(stage: .started))
                future.succeed(with: 3)
            })
        #expect(await log.all(3) == ["update", "success 3", "completion"])
    }

    @Test("Failures and cancellations reach an actor too")
    func otherEndings() async {
        let log = EventLog(), library = Library(log: log)
        await library.load(ResponseFuture(error: Mishap(number: 1)))
        #expect(await log.all(2) == ["failure Mishap(number: 1)", "completion"])
        await library.load(ResponseFuture { $0.cancel() })
        #expect(await log.all(4).suffix(2) == ["cancellation", "completion"])
    }

    @Test("AFTER-CANCEL: a cancellation made on the actor itself overtakes an outcome that waits for the actor")
    func cancelOnActor() async {
        for round in 0..<200 {
            let log = EventLog(), library = Library(log: log), promise = Box<ResponseFuture<Int>>()
            let future = ResponseFuture<Int> { promise.value = $0 }
            future.send()
            if let promise = promise.value { await library.cancelDuring(future, settling: promise, turns: round) }
            #expect(await log.all(2) == ["cancellation", "completion"], "round \(round)")
        }
    }

    @MainActor
    @Test("Callbacks formed on the main actor run there")
    func mainActor() async {
        let log = EventLog()
        ResponseFuture(result: 1)
            .onSuccess { _ in
                MainActor.assertIsolated()
                log("success")
            }
            .onCompletion {
                MainActor.assertIsolated()
                log("completion")
            }
            .send()
        #expect(await log.all(2) == ["success", "completion"])
    }

    @Test("Callbacks formed outside any actor run in the background; several of a kind run in the order of attaching")
    func nowhere() async {
        let log = EventLog()
        let future = ResponseFuture(result: 1)
        for number in 1...3 {
            _ = future.onSuccess { _ in log("success \(number) \(MainQueue.isCurrent)") }
        }
        future.onCompletion { log("completion") }.send()
        #expect(await log.all(4) == ["success 1 false", "success 2 false", "success 3 false", "completion"])
    }

    @Test("ORDER: callbacks that belong to different actors run in the order of attaching, each on its own")
    func mixed() async {
        for code in 0..<81 {
            let log = EventLog(), library = Library(log: log), future = ResponseFuture(result: 1)
            var expected: [String] = [], rest = code
            for number in 0..<4 {
                switch rest % 3 {
                case 0: _ = future.onSuccess { _ in log("\(number) \(MainQueue.isCurrent)") }
                case 1: _ = future.onSuccess { @MainActor _ in log("\(number) \(MainQueue.isCurrent)") }
                default: await library.attach(number, to: future)
                }
                expected.append("\(number) \(rest % 3 == 1)")
                rest /= 3
            }
            future.send()
            #expect(await log.all(4) == expected)
        }
    }

    @Test("NO-MAIN: after a callback on the main actor, one in the background runs although the main actor is busy")
    func mainActorIsBusy() async {
        let log = EventLog(), isOver = DispatchSemaphore(value: 0)
        ResponseFuture(result: 1)
            .onSuccess { @MainActor _ in
                DispatchQueue.main.async { log("\(isOver.wait(timeout: .now() + 300) == .success)") }
            }
            .onCompletion { isOver.signal() }
            .send()
        #expect(await log.all(1) == ["true"])
    }

    @Test("THROW: what onSuccess throws goes to onFailure, after the other success callbacks; of two errors, the first")
    func throwing() async throws {
        let log = EventLog()
        let future = ResponseFuture(result: 1)
            .onSuccess { _ in throw Mishap(number: 9) }
            .onSuccess { _ in log("success") }
            .onSuccess { _ in throw Mishap(number: 10) }
            .onFailure { log("\($0)") }
            .onCompletion { log("completion") }
        future.send()
        #expect(await log.all(3) == ["success", "Mishap(number: 9)", "completion"])
        #expect(try await future.value == 1)
        #expect(future.status == .error)
    }

    @Test("THROW, AFTER-CANCEL: after a callback that cancels and throws, only cancellation and completion run")
    func cancelledWhenThrown() async {
        let log = EventLog(), promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture(result: 1)
        promise.value = future
        future
            .onSuccess { _ in
                promise.value?.cancel()
                throw Mishap(number: 9)
            }
            .onSuccess { _ in log("success") }
            .onFailure { log("\($0)") }
            .onCancellation { log("cancellation") }
            .onCompletion { log("completion") }
            .send()
        #expect(await log.all(2) == ["cancellation", "completion"])
    }

    @Test("NO-MAIN: an awaiter resumes after a then has run, without waiting for the future's callbacks")
    func awaitersGoAhead() async throws {
        let log = EventLog(), hasLearnt = DispatchSemaphore(value: 0)
        let future = ResponseFuture { 1 }.then { value in
            log("then")
            return value
        }
        future.success { _ in log("success \(hasLearnt.wait(timeout: .now() + 300) == .success)") }.send()
        _ = try await future.value
        log("awaiter")
        hasLearnt.signal()
        #expect(await log.all(3) == ["then", "awaiter", "success true"])
    }

    @Test("An operator does not take over the modern callbacks")
    func notTakenOver() async {
        let log = EventLog()
        ResponseFuture(result: 1)
            .onSuccess { log("parent \($0)") }
            .then { $0 + 1 }
            .onSuccess { log("child \($0)") }
            .send()
        #expect(await log.all(2).sorted() == ["child 2", "parent 1"])
    }
}
