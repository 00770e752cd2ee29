import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

/// A class like a view controller: main-actor state, touched by callbacks without ceremony (contract rule MAIN).
@MainActor
private final class Screen {
    var lines: [String] = []

    func show(_ line: String) {
        MainActor.assertIsolated()
        lines.append(line)
    }
}

@Suite("Callbacks", .timeLimit(.minutes(10)))
@MainActor
struct CallbackTests {
    private let screen = Screen()

    /// Sends the future and waits for its completion, which writes a line too.
    private func run<Success>(_ future: ResponseFuture<Success>) async -> [String] {
        await withCheckedContinuation { continuation in
            future.completion {
                screen.show("completion")
                continuation.resume()
            }.send()
        }
        return screen.lines
    }

    @Test("MAIN: every PiuPiu-style callback runs on the main actor, wherever the future was sent and settled")
    func main() async {
        let sent = ResponseFuture<Int> { future in
            DispatchQueue.global().async {
                future.update(with: TransferUpdate(stage: .started))
                future.succeed(with: 1)
            }
        }
        .replace { number in
            self.screen.show("replace")
            return ResponseFuture(result: number)
        }
        .seriesJoin { number in
            self.screen.show("join")
            return ResponseFuture(result: number + 1)
        }
        .then(on: .main) { pair in
            self.screen.show("then \(pair)")
            return pair.1
        }
        .updated { _ in self.screen.show("updated") }
        .success { self.screen.show("success \($0)") }
        let lines = await run(sent)
        #expect(lines.filter { $0 != "updated" } == ["replace", "join", "then (1, 2)", "success 2", "completion"])
        #expect(lines.count == 6)

        let failed = ResponseFuture<Int>(error: Mishap()).error { _ in self.screen.show("error") }
        #expect(await run(failed).suffix(2) == ["error", "completion"])
        let result = ResponseFuture(result: 3).result { self.screen.show("\($0)") }
        #expect(await run(result).suffix(2) == ["success(3)", "completion"])
        let cancelled = ResponseFuture<Int> { $0.cancel() }.cancellation { self.screen.show("cancellation") }
        #expect(await run(cancelled).suffix(2) == ["cancellation", "completion"])
    }

    @Test("BACKGROUND: transforms run off the main thread by default, and on a queue where asked")
    func background() async throws {
        let queue = DispatchQueue(label: "transform")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let future = ResponseFuture<[Bool]> { $0.succeed(with: [MainQueue.isCurrent]) }
            .then { $0 + [MainQueue.isCurrent] }
            .map { $0 + [MainQueue.isCurrent] }
            .then(on: queue) { $0 + [DispatchQueue.getSpecific(key: key) ?? false] }
            .then { $0 + [MainQueue.isCurrent] }
            .thenResult { try $0.get() + [MainQueue.isCurrent] }
        let expected = [true, false, false, true, false, false]
        let value = try await future.value
        #expect(value == expected)
        let operation = ResponseFuture { MainQueue.isCurrent }.flatMap { isMain in
            ResponseFuture(result: [isMain, MainQueue.isCurrent])
        }
        #expect(try await operation.value == [false, false])
    }

    @Test("ORDER: updates in the order they were made, one outcome, completion; nothing after the outcome")
    func order() async {
        let future = ResponseFuture<Int> { future in
            DispatchQueue.global().async {
                for count in Int64(0)..<60 {
                    future.update(with: TransferUpdate(stage: .received, progress: .init(bytesReceived: count)))
                }
                future.succeed(with: 1)
                future.update(with: TransferUpdate(stage: .received, progress: .init(bytesReceived: 60)))
            }
        }
        .then { $0 }
        .updated { self.screen.show("\($0.progress.bytesReceived)") }
        .success { _ in self.screen.show("success") }
        .error { _ in self.screen.show("error") }
        .cancellation { self.screen.show("cancellation") }
        #expect(await run(future) == (0..<60).map { "\($0)" } + ["success", "completion"])
    }

    @Test("ORDER: an update made inside the action reaches a chained future")
    func earlyUpdate() async {
        let future = ResponseFuture<Int> { future in
            future.update(with: TransferUpdate(stage: .started))
            future.succeed(with: 1)
        }
        .then { $0 }
        .updated { self.screen.show("\($0.stage)") }
        #expect(await run(future) == ["started", "completion"])
    }

    @Test("SLOT: attaching again replaces; `result` fills success and error")
    func slot() async {
        let replaced = ResponseFuture(result: 1)
            .success { _ in self.screen.show("first") }
            .success { _ in self.screen.show("second") }
        #expect(await run(replaced) == ["second", "completion"])
        let result = ResponseFuture<Int>(error: Mishap())
            .error { _ in self.screen.show("error") }
            .result { _ in self.screen.show("result") }
        #expect(await run(result).suffix(2) == ["result", "completion"])
    }

    @Test("SLOT: an operator takes over its parent's callbacks, except completion")
    func takeover() async {
        let parentCompleted = Gate()
        let future = ResponseFuture(result: 1)
            .updated { _ in self.screen.show("parent updated") }
            .success { _ in self.screen.show("parent success") }
            .completion {
                self.screen.show("parent completion")
                parentCompleted.open()
            }
            .then { $0 + 1 }
            .success { self.screen.show("success \($0)") }
        let lines = await run(future)
        #expect(lines.filter { $0 != "parent completion" } == ["success 2", "completion"])
        await parentCompleted.opened()
        #expect(screen.lines.count == 3)
    }

    @Test("SLOT: a parent that was sent for its own callbacks keeps them beside a branch")
    func sentParentKeepsCallbacks() async throws {
        let gate = Gate(), log = EventLog()
        let parent = ResponseFuture {
            await gate.pass()
            return 1
        }
        .success { _ in log("parent") }
        parent.send()
        parent.then { $0 + 1 }.success { log("branch \($0)") }.send()
        gate.open()
        #expect(await log.all(2).sorted() == ["branch 2", "parent"])
    }

    @Test("THROW: what success throws goes to error, then completion; awaiters still get the value")
    func throwingSuccess() async throws {
        let future = ResponseFuture(result: 1)
            .success { _ in throw Mishap(number: 4) }
            .error { self.screen.show("\($0)") }
        #expect(await run(future) == ["Mishap(number: 4)", "completion"])
        #expect(future.status == .error)
        #expect(try await future.value == 1)
    }

    @Test("AFTER-CANCEL: after cancel() on the main actor only cancellation and completion come")
    func afterCancel() async {
        let log = EventLog()
        // The action settles inside send(), so that everything is ready for delivery when the cancellation comes.
        let future = ResponseFuture<Int> { future in
            future.update(with: TransferUpdate(stage: .started))
            future.succeed(with: 1)
        }
        .updated { _ in log("updated") }
        .success { _ in log("success") }
        .error { _ in log("error") }
        .cancellation { log("cancellation") }
        .completion { log("completion") }
        .onSuccess { _ in log("onSuccess") }
        .onCancellation { log("onCancellation") }
        future.send()
        future.cancel()
        let events = await log.all(3)
        #expect(Set(events) == ["cancellation", "completion", "onCancellation"])
        #expect(events.filter { $0 != "onCancellation" } == ["cancellation", "completion"])
        #expect(future.status == .cancelled)
    }

    @Test("AFTER-CANCEL: after a cancellation inside a callback, only the completion follows")
    func cancelInsideCallback() async {
        let future = ResponseFuture(result: 1)
        _ = future.success { _ in
            self.screen.show("success")
            future.cancel()
        }
        .cancellation { self.screen.show("cancellation") }
        #expect(await run(future) == ["success", "completion"])
        #expect(future.status == .success)
    }

    @Test("ORDER: completion runs once, and a future that is cancelled unsent notifies its callbacks too")
    func cancelUnsent() async {
        let log = EventLog()
        let future = ResponseFuture(result: 1)
            .success { _ in log("success") }
            .cancellation { log("cancellation") }
            .completion { log("completion") }
        future.cancel()
        future.send()
        future.cancel()
        #expect(await log.all(2) == ["cancellation", "completion"])
    }

    @Test(
        "The completion of a future comes before the callbacks of one that it fulfills, as in PiuPiu 1.11",
        arguments: [false, true])
    func completionOfSource(isShared: Bool) async {
        let log = EventLog(), (source, promise) = ResponseFuture<Int>.pending()
        let target = ResponseFuture<Int> { source.fulfill($0) }.completion { log("target") }
        let other = ResponseFuture<Int> { source.fulfill($0) }
        _ = source.completion { log("source") }
        target.send()
        if isShared { other.send() }
        promise.succeed(with: 1)
        #expect(await log.all(2) == ["source", "target"])
    }
}
