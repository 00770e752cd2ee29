import Dispatch
import PiuPiu
import TestSupport
import Testing

@Suite("RETAIN", .timeLimit(.minutes(10)))
struct RetainTests {
    /// How the work of a future is done.
    enum Work: CaseIterable, Sendable {
        case action, laterAction, operation, synchronous, chain, join

        /// A future that ends with a value, an error or a cancellation, and makes an update if it can.
        func future(_ end: End) -> ResponseFuture<Int> {
            let outcome = { @Sendable () throws -> Int in
                switch end {
                case .value: return 1
                case .error: throw Mishap(number: 1)
                case .cancellation: throw CancellationError()
                }
            }
            switch self {
            case .action: return Self.action(outcome) { $0() }
            case .laterAction: return Self.action(outcome) { body in DispatchQueue.global().async(execute: body) }
            case .operation:
                return ResponseFuture {
                    await Task {}.value
                    return try outcome()
                }
            case .synchronous: return ResponseFuture { () throws -> Int in try outcome() }
            case .chain: return Self.action({ 0 }, { $0() }).then { $0 }.then { _ in try outcome() }
            case .join: return Self.action({ 0 }, { $0() }).join(ResponseFuture { try outcome() }).then { $1 }
            }
        }

        private static func action(
            _ outcome: @escaping @Sendable () throws -> Int,
            _ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
        ) -> ResponseFuture<Int> {
            ResponseFuture<Int> { future in
                run {
                    future.update(with: TransferUpdate(stage: .started))
                    future.complete(with: Result { try outcome() })
                }
            }
        }

        var makesUpdates: Bool { self != .operation && self != .synchronous }
    }

    enum End: String, CaseIterable, Sendable { case value, error, cancellation }

    /// Makes a future without other references, attaches callbacks that look for it, and sends it.
    private func send(_ work: Work, _ end: End, isSlot: Bool, _ log: EventLog) -> Weak<ResponseFuture<Int>> {
        let reference = Box<Weak<ResponseFuture<Int>>>()
        @Sendable func note(_ event: String) { log("\(event) \(reference.value?.object != nil)") }
        let future = work.future(end)
        reference.value = Weak(future)
        if isSlot {
            future.updated { _ in note("update") }
                .success { _ in note("value") }.error { _ in note("error") }.cancellation { note("cancellation") }
                .completion { note("completion") }.send()
        } else {
            future.onUpdate { _ in note("update") }
                .onSuccess { _ in note("value") }.onFailure { _ in note("error") }
                .onCancellation { note("cancellation") }.onCompletion { note("completion") }.send()
        }
        return reference.value ?? Weak(future)
    }

    @MainActor
    @Test(
        "RETAIN: a weak reference stays valid after send(), and in each of the future's own callbacks",
        arguments: Work.allCases, End.allCases)
    func callbacks(work: Work, end: End) async {
        for isSlot in [true, false] {
            let log = EventLog(), reference = send(work, end, isSlot: isSlot, log)
            // Nothing can have been delivered on the main actor yet.
            if isSlot { #expect(reference.object != nil) }
            var expected = ["\(end) true", "completion true"]
            if work.makesUpdates, end != .cancellation { expected.insert("update true", at: 0) }
            await log.wait(for: expected.count)
            // Updates of a future that is cancelled at once may arrive, but need not.
            if end == .cancellation, log.events.first == "update true" { await log.wait(for: expected.count + 1) }
            #expect(log.events.suffix(expected.count) == expected, "isSlot: \(isSlot)")
            #expect(log.events.allSatisfy { $0.hasSuffix("true") })
        }
    }

    @Test(
        "RETAIN: a weak reference stays valid while the main actor is busy, though the work has ended",
        arguments: Work.allCases)
    func busyMainActor(work: Work) async {
        let log = EventLog(), settled = Gate(), tail = EventLog()
        await MainQueue.blocked {
            let reference: Weak<ResponseFuture<Int>> = {
                let future = work.future(.value)
                    .success { _ in log("success") }.completion { log("completion") }
                    .onCompletion { settled.open() }
                future.send()
                return Weak(future)
            }()
            await settled.opened()
            #expect(reference.object?.status == .success)
            _ = reference.object?.onSuccess { @MainActor value in tail("late \(value)") }
        }
        #expect(await log.all(2) == ["success", "completion"])
        #expect(await tail.all(1) == ["late 1"])
    }

    @MainActor
    @Test("RETAIN: a callback attached after the end retains its future until it has run", arguments: [true, false])
    func lateCallback(isSlot: Bool) async throws {
        let log = EventLog(), members = Population()
        func attach() async throws {
            let future = ResponseFuture { members.member() }, reference = Weak(future)
            future.send()
            _ = try await future.value
            let note = { @MainActor @Sendable (event: String) in log("\(event) \(reference.object != nil)") }
            if isSlot {
                _ = future.success { _ in note("value") }.completion { note("completion") }
            } else {
                _ = future.onSuccess { @MainActor _ in note("value") }.onCompletion { @MainActor in note("completion") }
            }
        }
        try await attach()
        #expect(await log.all(2) == ["value true", "completion true"])
        // The future and its value are released after that (contract rule RELEASE).
        await members.extinct()
    }

    @MainActor
    @Test("RETAIN, AFTER-CANCEL: the future's own update callback cancels it through a weak reference")
    func cancelInUpdate() async {
        let log = EventLog(), reference = Box<Weak<ResponseFuture<Int>>>()
        func send() {
            let future = ResponseFuture<Int> { future in
                future.update(with: TransferUpdate(stage: .started))
                future.succeed(with: 1)
            }
            reference.value = Weak(future)
            future.updated { _ in
                log("update")
                reference.value?.object?.cancel()
            }
            .success { _ in log("success") }.cancellation { log("cancellation") }.completion { log("completion") }
            .send()
        }
        send()
        #expect(await log.all(3) == ["update", "cancellation", "completion"])
    }

    @MainActor
    @Test("RETAIN: a completion attached in success through a weak reference runs, and runs last")
    func attachInSuccess() async {
        let log = EventLog(), reference = Box<Weak<ResponseFuture<Int>>>()
        func send() {
            let future = ResponseFuture<Int> { $0.succeed(with: 1) }
            reference.value = Weak(future)
            future.success { _ in
                log("success")
                _ = reference.value?.object?.completion { log("completion") }
            }
            .send()
        }
        send()
        #expect(await log.all(2) == ["success", "completion"])
    }

    @Test("RETAIN: a future sent without callbacks lives while its work goes on", arguments: Holding.allCases)
    func withoutCallbacks(holding: Holding) async {
        let gate = Gate(), keeper = Keeper<Int>(holding), reference = Box<Weak<ResponseFuture<Int>>>()
        do {
            let future = keeper.keep(waiting(at: gate).then { $0 + 1 })
            reference.value = Weak(future)
            future.send()
        }
        await gate.reached()
        let future = reference.value?.object
        #expect(future?.status == .started)
        gate.open()
        #expect(await future?.ending == "value 2")
    }
}
