import PiuPiu
import TestSupport
import Testing

/// Futures that run in place, as a part of another's work, or by their only awaiter.
@Suite("Work in place", .timeLimit(.minutes(10)))
struct InPlaceTests {
    private static func later<Value: Sendable>(_ value: Value) -> ResponseFuture<Value> {
        ResponseFuture {
            await Task {}.value
            return value
        }
    }

    /// A future that waits for the gate, and logs its cancellation.
    private static func shared(_ gate: Gate, _ log: EventLog) -> ResponseFuture<Int> {
        ResponseFuture {
            try await gate.passUnlessCancelled()
            return 5
        }
        .onCancellation { log("cancelled") }
    }

    @Test("A wait inside flatMap is not an error that safeResult or thenResult would see")
    func waitIsNoError() async throws {
        let one = { ResponseFuture { 1 } }
        #expect(try await one().flatMap { Self.later($0 + 1) }.safeResult().value.get() == 2)
        let other = Self.later(5)
        let sent = one().flatMap { _ in other }.thenResult { "\($0)" }
        sent.send()
        #expect(try await sent.value == "success(5)")
    }

    @Test("ONCE: a future that nested flatMaps make starts once, and all its values arrive")
    func nested() async throws {
        let future = ResponseFuture { 1 }.flatMap { _ in
            ResponseFuture { 2 }.flatMap { _ in
                ResponseFuture<[Int]>(childFutures: [Self.later(1), Self.later(2)])
            }
        }
        future.send()
        #expect(try await future.value == [1, 2])
    }

    @Test("UP: cancelling nested flatMaps cancels the innermost one's future")
    func cancelNested() async {
        let gate = Gate(), log = EventLog(), shared = Self.shared(gate, log)
        let future = ResponseFuture { 1 }.flatMap { _ in ResponseFuture { 2 }.flatMap { _ in shared } }
        future.send()
        await gate.reached()
        future.cancel()
        #expect(await log.all(1) == ["cancelled"])
    }

    @Test("NEVER-HANG: a future sent through a weak reference, while its only awaiter runs it, settles")
    func sentWhileAwaited() async throws {
        let reference = Box<Weak<ResponseFuture<Int>>>()
        func make() -> ResponseFuture<Int> {
            let future = ResponseFuture { 1 }.flatMap { _ in
                reference.value?.object?.send()
                return Self.later(2)
            }
            reference.value = Weak(future)
            return future
        }
        #expect(try await make().value == 2)
    }

    @Test("NEVER-HANG: an inner future sent through a weak reference, while it waits, settles")
    func innerSentWhileWaiting() async throws {
        let reference = Box<Weak<ResponseFuture<Int>>>(), kept = Box<ResponseFuture<Int>>()
        let future = ResponseFuture { 1 }.flatMap { _ -> ResponseFuture<Int> in
            let inner = ResponseFuture { 2 }.flatMap { _ -> ResponseFuture<Int> in
                kept.value = reference.value?.object
                kept.value?.send()
                return Self.later(3)
            }
            reference.value = Weak(inner)
            return inner
        }
        future.send()
        #expect(try await future.value == 3)
        #expect(await kept.value?.ending == "value 3")
    }

    @Test("INTEREST: a link sent through a weak reference goes on when the chain below it is cancelled")
    func sentThroughWeakReference() async {
        let gate = Gate()
        var middle: ResponseFuture<Int>? = ResponseFuture {
            try await gate.passUnlessCancelled()
            return 1
        }
        .then { $0 + 1 }
        let reference = middle.map(Weak.init)
        let last = middle.take()?.then { $0 + 1 }
        last?.send()
        await gate.reached()
        let reached = reference?.object
        reached?.send()
        last?.cancel()
        #expect(last?.status == .cancelled)
        gate.open()
        #expect(await reached?.ending == "value 2")
    }

    @Test("GROUPS, NEVER-HANG: a race with itself fails, and leaves none of the others running")
    func raceWithItself() async {
        let gate = Gate(), log = EventLog(), shared = Self.shared(gate, log)
        let itself = Box<ResponseFuture<Int>>()
        let future = ResponseFuture { 1 }.flatMap { _ in itself.value.map { ResponseFuture.race([$0, shared]) } }
        itself.value = future
        defer { itself.value = nil }
        #expect(await future.ending == "error waitsForItself")
        // By then the other may not have begun, and stays cold (contract rule EARLY).
        gate.open()
        #expect(["cancelled", "value 5"].contains(await shared.ending))
    }

    @Test("NEVER-HANG: a link in the middle of a chain that returns itself fails")
    func itselfInPlace() async {
        let reference = Box<Weak<ResponseFuture<Int>>>()
        func make() -> ResponseFuture<Int> {
            let middle = ResponseFuture { 1 }.flatMap { _ in reference.value?.object }
            reference.value = Weak(middle)
            return middle.then { $0 }
        }
        let future = make()
        #expect(await future.ending == "error waitsForItself")
        #expect(await make().ending == "error waitsForItself")
    }

    @Test("EARLY: if a part's action cancels another part, that one's action doesn't run")
    func cancelledByOtherPart() async {
        let log = EventLog()
        let second = ResponseFuture<Int> { future in
            log("second")
            future.succeed(with: 2)
        }
        let first = ResponseFuture<Int> { future in
            second.cancel()
            log("first")
            future.succeed(with: 1)
        }
        #expect(await first.join(second).ending == "cancelled")
        #expect(log.events == ["first"])
    }

    /// An object to capture, which logs its release.
    private final class Captured: Sendable {
        let log: EventLog

        init(_ log: EventLog) {
            self.log = log
        }

        deinit {
            log("gone")
        }
    }

    @Test("RELEASE: a cancelled future releases its transform, and those above it, though it stays")
    func releaseAfterCancellation() async throws {
        for isFlat in [false, true] {
            let gate = Gate(), log = EventLog(), end = EventLog()
            let root = { [captured = Captured(end)] in
                ResponseFuture {
                    try await gate.passUnlessCancelled()
                    return withExtendedLifetime(captured) { 1 }
                }
            }()
            let last = { [captured = Captured(end)] in
                isFlat
                    ? root.flatMap { number in withExtendedLifetime(captured) { ResponseFuture(result: number) } }
                    : root.then { number in withExtendedLifetime(captured) { number } }
            }()
            last.onCompletion { log("completion") }.send()
            await gate.reached()
            last.cancel()
            await log.wait(for: 1)
            // The captures of the root and of the transform.
            await end.wait(for: 2)
            #expect(last.status == .cancelled)
        }
    }

    @Test("DOWN: an only awaiter that is cancelled during its work gets no value", arguments: [false, true])
    func cancelledOnlyAwaiter(isOnActor: Bool) async {
        let task = Task { try await Self.valueAfterCancellation(isOnActor ? MainActor.shared : nil) }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private static func valueAfterCancellation(_ actor: isolated (any Actor)?) async throws -> Int {
        try await ResponseFuture { 1 }.then { number in
            withUnsafeCurrentTask { $0?.cancel() }
            return number
        }.value
    }

    @Test("SHARED: a send that comes while the first awaiter is cancelled is not lost")
    func sendBesideCancellation() async {
        for _ in 0..<2_000 {
            let future = Self.later(1)
            let first = Task { await future.ending }
            let second = Task { await future.ending }
            future.send()
            first.cancel()
            #expect(await second.value == "value 1")
            _ = await first.value
        }
    }
}
