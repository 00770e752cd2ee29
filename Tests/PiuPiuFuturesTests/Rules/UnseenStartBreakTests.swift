import Dispatch
import PiuPiu
import TestSupport
import Testing

private enum Traits {
    @TaskLocal static var name = "nobody"
}

/// Work that ends when a test says so, as an exchange ends when its engine does.
private final class Exchange<Success: Sendable>: CallbackWork {
    typealias End = @Sendable (Result<Success, any Error>) -> Void

    let isBegun = Gate()
    private let waiting = Box<End>()

    func begin(for run: FutureRun, _ end: @escaping End) -> Bool {
        waiting.value = end
        isBegun.open()
        return true
    }

    func perform(for run: FutureRun) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            _ = begin(for: run) { continuation.resume(with: $0) }
        }
    }

    func end(with value: Success) {
        let end = waiting.value
        waiting.value = nil
        end?(.success(value))
    }

    func cancel() {}
}

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that no test saw: starts and updates", .timeLimit(.minutes(10)))
struct UnseenStartBreakTests {
    @Test("RELEASE: a future that is sent while its exchange is only awaited is released after its end")
    func sentInFlight() async {
        let members = Population()
        do {
            let exchange = Exchange<Population.Member>()
            let future = ResponseFuture(origin: nil, work: exchange)
            let awaiter = Awaiting(now: future)
            await exchange.isBegun.opened()
            future.send()
            exchange.end(with: members.member())
            #expect(await awaiter.ending.hasPrefix("value"))
        }
        // If the future retains itself, only the time limit ends this wait.
        await members.extinct()
        #expect(members.count == 0)
    }

    @Test("INHERIT: callbacks attached before an await have the awaiter's task-local values, whatever ends the work")
    func callbacksOfExchange() async {
        let log = EventLog(), exchange = Exchange<Int>()
        let future = ResponseFuture(origin: nil, work: exchange)
        _ = future.onSuccess { _ in log("success \(Traits.name)") }.onCompletion { log("completion \(Traits.name)") }
        let awaiter = Traits.$name.withValue("awaiter") { Awaiting(now: future) }
        await exchange.isBegun.opened()
        // In no task.
        DispatchQueue(label: "engine").async { exchange.end(with: 1) }
        #expect(await awaiter.ending == "value 1")
        #expect(await log.all(2) == ["success awaiter", "completion awaiter"])
    }

    @MainActor
    @Test("BACKGROUND: send() on the main actor begins a held parent in the background", arguments: [true, false])
    func heldParent(isAsynchronous: Bool) async {
        let held =
            isAsynchronous
            ? ResponseFuture<Bool> { () async throws -> Bool in MainQueue.isCurrent }
            : ResponseFuture<Bool> { () throws -> Bool in MainQueue.isCurrent }
        let child = held.then { $0 }
        child.send()
        #expect(await child.ending == "value false")
        #expect(held.status == .success)
    }

    @Test("NEVER-HANG: an operation that awaits a future hundreds of links below its own fails")
    func farBelow() async {
        let last = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { () async throws -> Int in
            guard let last = last.value else { throw Mishap() }
            return try await last.value
        }
        // All are held, so that each has to wait for the one above.
        var links = [future]
        for number in 0..<300 { links.append(links[number].then { $0 + 1 }) }
        last.value = links.last
        // If the circle isn't found, only the time limit ends this wait.
        #expect(await Awaiting(now: future).ending == "error waitsForItself")
        withExtendedLifetime(links) { last.value = nil }
    }

    @MainActor
    @Test("TURN: a slow consumer of a join gets the last update of each action, even if the other goes on alone")
    func updatesOfActions() async {
        let promises = [Box<ResponseFuture<Int>>(), Box<ResponseFuture<Int>>()]
        let numbers = Locked<[Int64]>([]), isOver = Gate()
        let joined = ResponseFuture<[Int]>(
            childFutures: promises.map { promise in ResponseFuture<Int> { promise.value = $0 } })
        joined.updated { update in numbers.withLock { $0.append(update.progress.bytesReceived) } }
            .completion { isOver.open() }.send()
        // The actions have begun by now. Nothing is delivered before this waits.
        for number in 0..<1_000 as Range<Int64> {
            let progress = TransferProgress(bytesReceived: number)
            promises[number == 0 ? 0 : 1].value?.update(with: TransferUpdate(stage: .received, progress: progress))
        }
        for promise in promises {
            promise.value?.succeed(with: 1)
            promise.value = nil
        }
        await isOver.opened()
        let received = numbers.withLock { $0 }
        #expect(received.count < 300)
        #expect(received.first == 0 && received.last == 999)
    }
}
