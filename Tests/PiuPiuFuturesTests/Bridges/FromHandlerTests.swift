import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Futures of completion handlers", .timeLimit(.minutes(10)))
struct FromHandlerTests {
    typealias Handler = @Sendable (Result<Int, any Error>) -> Void

    @Test("COLD, SYNC-START: the body runs inside send(), on its thread, and not before")
    func syncStart() async {
        let log = EventLog()
        let future = ResponseFuture<Int>.withResultHandler { handler in
            log("body \(MainQueue.isCurrent)")
            handler(.success(7))
        }
        #expect(log.events.isEmpty)
        await MainActor.run {
            future.send()
            #expect(log.events == ["body true"])
        }
        #expect(await future.ending == "value 7")
        #expect(log.events.count == 1)
    }

    @Test("A result that comes later, from any thread, settles the future")
    func later() async {
        let value = ResponseFuture<Int>.withResultHandler { handler in
            Thread.detachNewThread { handler(.success(1)) }
        }
        let failure = ResponseFuture<Int>.withResultHandler { handler in
            Thread.detachNewThread { handler(.failure(Mishap(number: 2))) }
        }
        let cancellation = ResponseFuture<Int>.withResultHandler { handler in
            Thread.detachNewThread { handler(.failure(CancellationError())) }
        }
        #expect(await value.ending == "value 1")
        #expect(await failure.ending == "error Mishap(number: 2)")
        #expect(await cancellation.ending == "cancelled")
        #expect(cancellation.status == .cancelled)
    }

    @Test("SETTLE: the first call counts, even if many threads call")
    func calledTwice() async {
        let future = ResponseFuture<Int>.withResultHandler { handler in
            handler(.success(1))
            handler(.failure(Mishap()))
        }
        #expect(await future.ending == "value 1")
        for _ in 0..<50 {
            let calls = Counter()
            let raced = ResponseFuture<Int>.withResultHandler { handler in
                for _ in 0..<4 { Thread.detachNewThread { handler(.success(calls.increment())) } }
            }
            let first = await raced.ending
            #expect(await raced.ending == first)
        }
    }

    @Test("NEVER-HANG: a handler released without a call fails the future, and the error names where it was made")
    func forgotten() async {
        let line: UInt = #line + 1
        let future = ResponseFuture<Int>.withResultHandler { _ in }
        await #expect(throws: FutureError.abandoned(file: #fileID, line: line)) { try await future.value }

        let kept = Box<Handler>()
        let later = ResponseFuture<Int>.withResultHandler { handler in kept.value = handler }
        later.send()
        #expect(later.status == .started)
        kept.value = nil
        await #expect(throws: FutureError.abandoned(file: #fileID, line: line + 4)) { try await later.value }
    }

    @Test("An error that the body throws fails the future")
    func bodyThrows() async {
        let future = ResponseFuture<Int>.withResultHandler { _ in throw Mishap(number: 3) }
        #expect(await future.ending == "error Mishap(number: 3)")
    }

    @Test("UP, DOWN: a cancellation calls onCancel once, with what the body returned", arguments: [true, false])
    func onCancel(byAwaiter: Bool) async {
        let log = EventLog(), handlers = Box<Handler>()
        let future = ResponseFuture<Int>.withResultHandler { handler in
            handlers.value = handler
            log("body")
            return "job"
        } onCancel: { job in
            log("cancel \(job) \(MainQueue.isCurrent)")
        }
        .onCompletion { log("completion") }
        // The body has returned by then: onCancel, which follows it, is attached before the cancellation.
        let awaiter = future.awaitedInTask()
        await log.wait(for: 1)
        if byAwaiter { awaiter.cancel() } else { future.cancel() }
        #expect(await awaiter.value == "cancelled")
        #expect(await log.all(3) == ["body", "cancel job false", "completion"])
        handlers.value?(.success(1))
        future.cancel()
        #expect(await future.ending == "cancelled")
    }

    @Test("If the body returns nothing, onCancel takes nothing; it is also called after a cancellation in the body")
    func onCancelOfNothing() async {
        let log = EventLog(), itself = Box<AnyResponseFuture>()
        let future = ResponseFuture<Int>.withResultHandler { handler in
            itself.value?.cancel()
            log("body")
            handler(.success(1))
        } onCancel: {
            log("cancel")
        }
        itself.value = future
        future.send()
        #expect(await log.all(2) == ["body", "cancel"])
        itself.value = nil
    }

    @Test("EARLY: onCancel is not called for a future that ended, or never began")
    func noCancel() async {
        let log = EventLog()
        @Sendable func future(_ ending: String) -> ResponseFuture<Int> {
            .withResultHandler { handler in
                log("body \(ending)")
                if ending == "value" { handler(.success(1)) } else { handler(.failure(Mishap())) }
            } onCancel: {
                log("cancel")
            }
            .onCompletion { log("completion \(ending)") }
        }
        let value = future("value"), failure = future("failure"), unsent = future("unsent")
        _ = await value.result
        await log.wait(for: 2)
        value.cancel()
        _ = await failure.result
        await log.wait(for: 4)
        failure.cancel()
        unsent.cancel()
        unsent.send()
        #expect(
            await log.all(5) == [
                "body value", "completion value", "body failure", "completion failure", "completion unsent",
            ])
    }

    @Test(
        "AFTER-CANCEL: onCancel is not called after the end of the work, though callbacks wait",
        arguments: [true, false])
    @MainActor
    func endedBeforeCancel(isSuccess: Bool) async {
        let log = EventLog()
        let future = ResponseFuture<Int>.withResultHandler { handler in
            handler(isSuccess ? .success(1) : .failure(Mishap()))
        } onCancel: {
            log("cancel")
        }
        .onSuccess { @MainActor _ in log("success") }
        .onFailure { @MainActor _ in log("failure") }
        .onCompletion { log("completion") }
        future.send()
        future.cancel()
        #expect(future.status == .cancelled)
        #expect(await log.all(1) == ["completion"])
    }

    @Test("SETTLE: a cancellation right after a success changes nothing, if only a cancellation would be told")
    func lateCancel() async throws {
        for _ in 0..<200 {
            let log = EventLog()
            let future = ResponseFuture<Int>.withResultHandler { handler in
                handler(.success(1))
            } onCancel: {
                log("cancel")
            }
            #expect(try await future.value == 1)
            future.cancel()
            #expect(future.status == .success)
            future.onCompletion { log("completion") }.send()
            #expect(await log.all(1) == ["completion"])
        }
    }

    @Test("RELEASE: a handler kept after its call retains neither the future nor the body's captures")
    func release() async {
        let handlers = Box<Handler>(), population = Population()
        var future: ResponseFuture<Population.Member>? = {
            let member = population.member()
            return .withResultHandler { handler in
                withExtendedLifetime(member) {}
                handlers.value = { _ in handler(.success(population.member())) }
                return member
            } onCancel: { member in
                withExtendedLifetime(member) {}
            }
        }()
        let weakFuture = Weak<AnyResponseFuture>(future ?? ResponseFuture(result: population.member()))
        future?.send()
        handlers.value?(.success(1))
        _ = await future?.result
        future = nil
        await population.extinct()
        #expect(weakFuture.object == nil)
        handlers.value?(.success(1))
        await population.extinct()
    }

    @Test("An optional value and error, as in Cocoa: the error wins, then the value; having neither fails")
    func valueAndError() async {
        @Sendable func future(_ value: Int?, _ error: (any Error)?) -> ResponseFuture<Int> {
            .withValueAndErrorHandler { handler in handler(value, error) }
        }
        #expect(await future(1, nil).ending == "value 1")
        #expect(await future(nil, Mishap(number: 2)).ending == "error Mishap(number: 2)")
        #expect(await future(1, Mishap(number: 3)).ending == "error Mishap(number: 3)")
        #expect(await future(nil, URLError(.cancelled)).ending == "cancelled")
        let line: UInt = #line + 1
        let neither = ResponseFuture<Int>.withValueAndErrorHandler { handler in handler(nil, nil) }
        let expected = FutureError.neitherValueNorError(file: #fileID, line: line)
        await #expect(throws: expected) { try await neither.value }
        #expect(expected.localizedDescription.contains("FromHandlerTests.swift:\(line)"))
        let forgotten = ResponseFuture<Int>.withValueAndErrorHandler { _ in }
        await #expect(throws: FutureError.abandoned(file: #fileID, line: line + 4)) { try await forgotten.value }
    }

    @Test("An optional error, as in Cocoa: none is success")
    func errorAlone() async throws {
        try await ResponseFuture.withErrorHandler { handler in handler(nil) }.value
        let failing = ResponseFuture.withErrorHandler { handler in handler(Mishap(number: 1)) }
        await #expect(throws: Mishap(number: 1)) { try await failing.value }
        let log = EventLog()
        let cancelled = ResponseFuture.withErrorHandler { handler in
            log("body")
            return handler
        } onCancel: { handler in
            handler(nil)
            log("cancel")
        }
        cancelled.send()
        cancelled.cancel()
        #expect(await log.all(2) == ["body", "cancel"])
    }

    @Test("NO-MAIN: a handler is served while the main thread is blocked")
    func noMain() async throws {
        let future = ResponseFuture<Int>.withResultHandler { handler in
            Thread.detachNewThread { handler(.success(1)) }
        }
        #expect(try await MainQueue.blocked { try await future.value } == 1)
    }
}
