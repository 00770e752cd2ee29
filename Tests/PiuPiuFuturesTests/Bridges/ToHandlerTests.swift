import Dispatch
import PiuPiu
import TestSupport
import Testing

@Suite("Futures that call a completion handler", .timeLimit(.minutes(10)))
struct ToHandlerTests {
    private func text(_ result: Result<Int, any Error>) -> String {
        switch result {
        case .success(let value): "value \(value)"
        case .failure(let error): "\(error)"
        }
    }

    @Test("MAIN: the handler gets value, error and cancellation, on the main actor")
    func main() async {
        let log = EventLog()
        let futures = [
            ResponseFuture(result: 1), ResponseFuture(error: Mishap(number: 2)), ResponseFuture { $0.cancel() },
        ]
        for future in futures { future.send { log("\(text($0)) \(MainQueue.isCurrent)") } }
        for future in futures { future.send(on: .main) { log("\(text($0)) \(MainQueue.isCurrent)") } }
        let told = ["CancellationError() true", "Mishap(number: 2) true", "value 1 true"]
        #expect(await log.all(6).sorted() == (told + told).sorted())
    }

    @Test("The handler gets value, error and cancellation on a queue")
    func queue() async {
        let key = DispatchSpecificKey<Bool>(), queue = DispatchQueue(label: "handlers"), log = EventLog()
        queue.setSpecific(key: key, value: true)
        let futures = [
            ResponseFuture(result: 1), ResponseFuture(error: Mishap(number: 2)), ResponseFuture { $0.cancel() },
        ]
        for future in futures {
            future.send(on: queue) { log("\(text($0)) \(DispatchQueue.getSpecific(key: key) ?? false)") }
        }
        #expect(await log.all(3).sorted() == ["CancellationError() true", "Mishap(number: 2) true", "value 1 true"])
    }

    @MainActor
    @Test("ONCE: one run calls all handlers and callbacks, never inside send()")
    func beside() async {
        let runs = Counter(), log = EventLog()
        let future = ResponseFuture<Int> { $0.succeed(with: runs.increment()) }
            .success { log("slot \($0)") }
            .onSuccess { log("modern \($0)") }
        future.send { log("first \(text($0))") }
        future.send(on: .global()) { log("second \(text($0))") }
        #expect(!log.events.contains("first value 1"))
        #expect(await log.all(4).sorted() == ["first value 1", "modern 1", "second value 1", "slot 1"])
        #expect(runs.value == 1)
    }

    @Test("MEMO: a handler attached after the end is called")
    func late() async {
        let log = EventLog()
        let value = ResponseFuture(result: 1), cancelled = ResponseFuture(result: 2)
        _ = await value.result
        cancelled.cancel()
        value.send { log(text($0)) }
        #expect(await log.all(1) == ["value 1"])
        cancelled.send { log(text($0)) }
        #expect(await log.all(2) == ["value 1", "CancellationError()"])
    }

    @MainActor
    @Test("AFTER-CANCEL: after cancel() returns on the main actor the handler gets a cancellation")
    func afterCancel() async {
        let log = EventLog()
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }
        future.send { log(text($0)) }
        #expect(future.status == .success)
        future.cancel()
        #expect(await log.all(1) == ["CancellationError()"])
    }

    @Test("THROW: the handler is called once, with the value, even if other callbacks throw")
    func callbackThrows() async {
        let log = EventLog()
        let future = ResponseFuture(result: 1).onSuccess { _ in throw Mishap(number: 4) }
        _ = future.onCompletion { log("completion") }
        future.send { log(text($0)) }
        #expect(await log.all(2) == ["value 1", "completion"])

        let gate = Gate()
        let other = ResponseFuture {
            await gate.pass()
            return 2
        }
        other.send { log(text($0)) }
        _ = other.onSuccess { _ in throw Mishap(number: 5) }.onFailure { _ in log("failure") }
            .onCompletion { log("completion") }
        gate.open()
        #expect(Array(await log.all(5).dropFirst(2)) == ["value 2", "failure", "completion"])
    }

    @Test("DOWN: a future with a handler outlives its awaiters")
    func sent() async {
        let controlled = ControlledFutures(), log = EventLog()
        let future = controlled.future(0)
        future.send(on: .global()) { log(text($0)) }
        let awaiter = future.awaitedInTask()
        awaiter.cancel()
        #expect(await awaiter.value == "cancelled")
        #expect(future.status == .started)
        controlled.succeed(0)
        #expect(await log.all(1) == ["value 0"])
    }

    @Test(
        "RETAIN: the future lives until the handler on a queue has run, however long that waits",
        arguments: [false, true])
    func retain(isLate: Bool) async {
        let queue = DispatchQueue(label: "handlers"), reference = Box<Weak<ResponseFuture<Int>>>(), log = EventLog()
        queue.suspend()
        func send() async {
            let future = ResponseFuture(result: 1)
            if isLate { _ = await future.result }
            reference.value = Weak(future)
            _ = future.completion { log("completion") }
            future.send(on: queue) { log("\(text($0)) \(reference.value?.object != nil)") }
        }
        await send()
        await log.wait(for: 1)
        // Once the turn of the completion is over, only the handler needs the future.
        await MainActor.run {}
        queue.resume()
        #expect(await log.all(2) == ["completion", "value 1 true"])
    }

    @Test("NEVER-HANG: an action that sends its own promise, and forgets it, fails")
    func forgottenPromise() async {
        let log = EventLog()
        let future = ResponseFuture<Int> { promise in promise.send(on: .global()) { log(text($0)) } }
        #expect(await future.ending.contains("abandoned"))
        #expect(await log.all(1)[0].contains("abandoned"))
    }

    @Test("RELEASE: a future without other references is released after the handler on a queue")
    func releaseOfFuture() async {
        let population = Population(), log = EventLog()
        func send() {
            ResponseFuture { population.member() }.send(on: .global()) { _ in log("called") }
        }
        send()
        await log.wait(for: 1)
        await population.extinct()
    }

    @Test("RELEASE: a future that was cancelled before it was sent is released after the handler")
    func cancelledBefore() async {
        let population = Population(), log = EventLog()
        func send() {
            let member = population.member()
            let future = ResponseFuture<Int> { withExtendedLifetime(member) { 1 } }
            future.cancel()
            future.send(on: .global()) { result in withExtendedLifetime(member) { log(text(result)) } }
        }
        send()
        #expect(await log.all(1) == ["CancellationError()"])
        await population.extinct()
    }

    @Test("RELEASE: the handler is released after its call, though the future stays")
    func release() async {
        let population = Population()
        let future = ResponseFuture(result: 1)
        func send() {
            let main = population.member(), queued = population.member()
            future.send { _ in withExtendedLifetime(main) {} }
            future.send(on: .global()) { _ in withExtendedLifetime(queued) {} }
        }
        send()
        await population.extinct()
        #expect(future.status == .success)
    }
}
