import PiuPiu
import Testing

@Suite("PiuPiu 1.4: progress", .timeLimit(.minutes(10)))
struct ProgressOf14Tests {
    let journal = Journal()

    @available(*, deprecated)
    private func future(_ action: @escaping @Sendable (ResponseFuture<Int>) throws -> Void) -> ResponseFuture<Int> {
        let journal = journal
        return ResponseFuture<Int>(order: 1, action: action)
            .progress { journal.lines.append("at \($0)") }
            .success { journal.lines.append("success \($0)") }
            .error { _ in journal.lines.append("error") }
            .cancellation { journal.lines.append("cancellation") }
    }

    @available(*, deprecated)
    @Test("ORDER Numbers only grow, and 1 comes exactly once, before success")
    func growth() async {
        await future { promise in
            for value: Float in [0, 0.25, 0.25, 0.1, 0.5, .nan, -3] { promise.update(progress: value) }
            promise.succeed(with: 7)
        }.sentToTheEnd()
        #expect(journal.lines == ["at 0.25", "at 0.5", "at 1.0", "success 7"])
    }

    @available(*, deprecated)
    @Test("ORDER A 1 that is reported early is not delivered twice; SETTLE nor is a second success")
    func jumps() async {
        await future { promise in
            promise.update(progress: 0.1)
            promise.update(progress: 1)
            promise.update(progress: 2)
            promise.succeed(with: 7)
            promise.succeed(with: 8)
        }.sentToTheEnd()
        #expect(journal.lines == ["at 0.1", "at 1.0", "success 7"])
    }

    @available(*, deprecated)
    @Test("A progress beyond 0 and 1 counts as the nearer of them, whatever it is")
    func bounds() async {
        let journal = journal
        await future { promise in
            for value: Float in [-.infinity, -1, 2, .infinity] { promise.update(progress: value) }
            promise.succeed(with: 7)
        }
        .updated { update in
            journal.lines.append("\(update.percentTransferred ?? -1), \(update.progress.bytesReceived >> 40) TiB")
        }
        .sentToTheEnd()
        let none = "0.0, 0 TiB", all = "1.0, 1 TiB"
        #expect(journal.lines == [none, none, all, all, "at 1.0", "success 7"])
    }

    @available(*, deprecated)
    @Test("ORDER An error and a cancellation bring no 1")
    func endings() async {
        await future { promise in
            promise.update(progress: 0.5)
            promise.update(progress: 1)
            promise.fail(with: Mishap())
        }.sentToTheEnd()
        await future { $0.cancel() }.sentToTheEnd()
        #expect(journal.lines == ["at 0.5", "error", "cancellation"])
    }

    @available(*, deprecated)
    @Test("SLOT progress replaces progress, and stands beside updated")
    func slots() async {
        let journal = journal
        await future { promise in
            promise.update(progress: 0.5)
            promise.succeed(with: 7)
        }
        .progress { journal.lines.append("instead \($0)") }
        .updated { update in journal.lines.append("updated \(update.percentTransferred ?? 0)") }
        .sentToTheEnd()
        #expect(journal.lines == ["instead 0.5", "updated 0.5", "instead 1.0", "success 7"])
    }

    @available(*, deprecated)
    @Test("SLOT An operator takes over progress")
    func takeover() async {
        let journal = journal
        await future { $0.succeed(with: 7) }
            .then { $0 + 1 }
            .progress { journal.lines.append("below \($0)") }
            .success { journal.lines.append("value \($0)") }
            .sentToTheEnd()
        #expect(journal.lines == ["below 1.0", "value 8"])
    }

    @available(*, deprecated)
    @Test("The property is below 1 until the value is there")
    func property() async {
        let promises = PromiseBox()
        let future = future { promise in
            promises.promise = promise
            promise.update(progress: 0.25)
        }
        #expect(future.progress == 0)
        future.send()
        #expect(future.progress == 0.25)
        // It is never behind a number that was reported.
        promises.promise?.update(progress: 0.125)
        #expect(future.progress == 0.25)
        promises.promise?.update(progress: 1)
        #expect(future.progress < 1)
        promises.promise?.succeed(with: 7)
        #expect(future.progress == 1)
        #expect(future.order == 1)
    }

    @available(*, deprecated)
    @Test("THROW The property stays at 1 when the success callback throws")
    func throwing() async {
        let journal = journal
        let future = ResponseFuture<Int>(order: 1) { promise in promise.succeed(with: 7) }
            .progress { journal.lines.append("at \($0)") }
            .success { _ in throw Mishap() }
        await future.sentToTheEnd()
        #expect(journal.lines == ["at 1.0"])
        #expect(future.status == .error && future.progress == 1)
    }

    @available(*, deprecated)
    @Test("UPDATES The numbers of both futures of a join arrive, without weights")
    func thenAndJoins() async {
        let journal = journal
        func part(_ number: Int) -> ResponseFuture<Int> {
            ResponseFuture<Int>(order: 1) { promise in
                promise.update(progress: 0.5)
                promise.update(progress: Float(number) / 10)
                promise.succeed(with: number)
            }
        }
        await part(6).join({ number -> ResponseFuture<Int>? in part(number + 1) })
            .progress { journal.lines.append("at \($0)") }
            .success { journal.lines.append("success \($0.0 + $0.1)") }
            .sentToTheEnd()
        #expect(journal.lines == ["at 0.5", "at 0.6", "at 0.7", "at 1.0", "success 13"])
    }
}

/// A place for a promise; written and read on one thread.
private final class PromiseBox: @unchecked Sendable {
    var promise: ResponseFuture<Int>?
}
