import PiuPiu
import TestSupport
import Testing

@Suite("A future's updates as an AsyncSequence", .timeLimit(.minutes(10)))
struct FutureUpdatesTests {
    private func update(_ number: Int64) -> TransferUpdate {
        TransferUpdate(stage: .received, progress: TransferProgress(bytesReceived: number))
    }

    /// A future that makes `count` updates as soon as it is started, and then has a value.
    private func transfer(of count: Int64) -> ResponseFuture<Int> {
        ResponseFuture<Int> { future in
            for number in 0..<count { future.update(with: update(number)) }
            future.succeed(with: 1)
        }
    }

    /// The iterator's updates until its end.
    private func rest(of iterator: FutureUpdates<Int>.Iterator) async -> [Int64] {
        var iterator = iterator, numbers: [Int64] = []
        while let update = await iterator.next() { numbers.append(update.progress.bytesReceived) }
        return numbers
    }

    @Test("ORDER: every update since the iterator was made arrives, in order, then the end", arguments: 0..<3)
    func order(ending: Int) async {
        let promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { promise.value = $0 }
        var iterator = future.updates().makeAsyncIterator()
        future.send()
        for number in 0..<10 {
            promise.value?.update(with: update(Int64(number)))
            #expect(await iterator.next() == update(Int64(number)))
        }
        switch ending {
        case 0: promise.value?.succeed(with: 1)
        case 1: promise.value?.fail(with: Mishap())
        default: future.cancel()
        }
        promise.value?.update(with: update(99))
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
    }

    @Test("ORDER: updates that wait when the future settles still arrive, before the end")
    func waiting() async {
        let future = transfer(of: 20)
        let iterator = future.updates().makeAsyncIterator()
        future.send()
        #expect(await rest(of: iterator) == Array(0..<20))
    }

    @Test("Updates of a future's parents arrive too")
    func chain() async {
        let future = transfer(of: 3).then { $0 + 1 }.flatMap { ResponseFuture(result: $0) }
        let iterator = future.updates().makeAsyncIterator()
        async let value = future.ending
        #expect(await rest(of: iterator) == [0, 1, 2])
        #expect(await value == "value 2")
    }

    @Test("COLD: neither the sequence, nor an iterator, nor its loop starts the future")
    func cold() async {
        let runs = Counter()
        let future = ResponseFuture<Int> { $0.succeed(with: runs.increment()) }
        let updates = future.updates()
        _ = updates.makeAsyncIterator()
        let isIterating = Gate()
        let task = Task {
            let iterator = updates.makeAsyncIterator()
            isIterating.open()
            return await rest(of: iterator)
        }
        await isIterating.opened()
        #expect(future.status == .created)
        #expect(runs.value == 0)
        future.send()
        #expect(await task.value == [])
        #expect(runs.value == 1)
    }

    @Test("MEMO: on a settled future the sequence ends at once", arguments: 0..<3)
    func late(ending: Int) async {
        let future = transfer(of: 3).then { if ending == 1 { throw Mishap(number: $0) } else { $0 } }
        if ending == 2 { future.cancel() } else { _ = await future.result }
        for await _ in future.updates() { Issue.record("an update") }
    }

    @Test("Each iterator gets all updates, and takes none from the callbacks")
    func severalIterators() async {
        let future = transfer(of: 5), log = EventLog()
        let updates = future.updates()
        let first = updates.makeAsyncIterator(), second = updates.makeAsyncIterator()
        future.updated { log("slot \($0.progress.bytesReceived)") }.completion { log("completion") }.send()
        #expect(await rest(of: first) == [0, 1, 2, 3, 4])
        #expect(await rest(of: second) == [0, 1, 2, 3, 4])
        #expect(await log.all(6) == (0..<5).map { "slot \($0)" } + ["completion"])
    }

    @Test("SHARED: leaving the loop early, or cancelling its task, does not touch the future")
    func earlyExit() async {
        let promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { promise.value = $0 }
        let isIterating = Gate()
        let cancelled = Task {
            let iterator = future.updates().makeAsyncIterator()
            isIterating.open()
            return await rest(of: iterator)
        }
        await isIterating.opened()
        let early = future.updates().makeAsyncIterator()
        let awaiter = future.awaitedInTask()
        future.send()
        promise.value?.update(with: update(0))
        cancelled.cancel()
        #expect([[], [0]].contains(await cancelled.value))
        func first(_ iterator: FutureUpdates<Int>.Iterator) async -> TransferUpdate? {
            var iterator = iterator
            return await iterator.next()
        }
        #expect(await first(early) == update(0))
        #expect(future.status == .started)
        promise.value?.update(with: update(1))
        promise.value?.succeed(with: 7)
        #expect(await awaiter.value == "value 7")
    }

    @Test("DOWN: an iteration is no interest in the future, which is cancelled with its last awaiter")
    func noInterest() async {
        let gate = Gate()
        let future = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 1
        }
        let iterator = future.updates().makeAsyncIterator()
        let awaiter = future.awaitedInTask()
        await gate.reached()
        awaiter.cancel()
        #expect(await rest(of: iterator) == [])
        #expect(future.status == .cancelled)
    }

    @Test("UNSENT: an iterator doesn't retain an unsent future, and ends when it is released")
    func unsent() async {
        var future: ResponseFuture<Int>? = ResponseFuture(result: 1)
        let weakFuture = Weak<AnyResponseFuture>(future ?? ResponseFuture(result: 0))
        let iterator = future?.updates().makeAsyncIterator()
        future = nil
        #expect(weakFuture.object == nil)
        if let iterator { #expect(await rest(of: iterator) == []) }
    }

    @Test("A slow consumer gets the updates that its buffering policy keeps, by default the newest 64")
    func buffering() async {
        let future = transfer(of: 100), settled = Gate()
        let iterators = [
            future.updates(), future.updates(bufferingPolicy: .bufferingNewest(1)),
            future.updates(bufferingPolicy: .bufferingOldest(2)), future.updates(bufferingPolicy: .unbounded),
        ].map { $0.makeAsyncIterator() }
        future.onCompletion { settled.open() }.send()
        await settled.opened()
        #expect(await rest(of: iterators[0]) == Array(36..<100))
        #expect(await rest(of: iterators[1]) == [99])
        #expect(await rest(of: iterators[2]) == [0, 1])
        #expect(await rest(of: iterators[3]) == Array(0..<100))
    }

    @Test("NO-MAIN: updates and the end arrive while the main thread, and a callback on it, are blocked")
    func noMain() async {
        let future = transfer(of: 10)
        let iterator = future.updates().makeAsyncIterator()
        _ = future.onCompletion { @MainActor in }
        await MainQueue.blocked {
            async let value = future.ending
            #expect(await rest(of: iterator) == Array(0..<10))
            #expect(await value == "value 1")
        }
    }

    @MainActor
    @Test("On the main actor a loop runs there")
    func onMainActor() async {
        let future = transfer(of: 3)
        let iterator = future.updates().makeAsyncIterator()
        future.send()
        var copy = iterator, count = 0
        while await copy.next() != nil {
            #expect(MainQueue.isCurrent)
            count += 1
        }
        #expect(count == 3)
    }
}
