import Foundation
import PiuPiu
import TestSupport
import Testing

/// Operations that report their progress, as dispatchers' do, and futures chained on them.
@Suite("Work that reports its progress", .timeLimit(.minutes(10)))
struct PromptWorkTests {
    /// Waits for the gate.
    private static func prompt(_ gate: Gate) -> ResponseFuture<Int> {
        ResponseFuture.reporting { _, report in
            report(TransferUpdate(stage: .started, progress: TransferProgress()))
            try await gate.passUnlessCancelled()
            return 5
        }
    }

    private static func opened() -> Gate {
        let gate = Gate()
        gate.open()
        return gate
    }

    @Test("DOWN: cancelling the task of its only awaiter ends both", arguments: [true, false])
    func cancelled(isChained: Bool) async {
        let gate = Gate()
        let task = Task {
            isChained ? try await Self.prompt(gate).then { "\($0)" }.value : "\(try await Self.prompt(gate).value)"
        }
        await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("DOWN: the future that flatMap makes may be deaf to the cancellation, the await is not")
    func deafInnerFuture() async {
        let gate = Gate()
        let task = Task {
            try await Self.prompt(Self.opened()).flatMap { _ in
                ResponseFuture {
                    await gate.pass()
                    return 1
                }
            }.value
        }
        await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
    }

    @Test("A failure passes through, also through a chain")
    func failure() async {
        let failing = { ResponseFuture<Int>.reporting { _, _ in throw Mishap(number: 3) } }
        await #expect(throws: Mishap(number: 3)) { try await failing().value }
        await #expect(throws: Mishap(number: 3)) { try await failing().then { $0 }.value }
        await #expect(throws: Mishap(number: 3)) { try await failing().safeResult().value.get() }
    }

    @Test("SHARED: one with several awaiters runs once, for all")
    func shared() async throws {
        let runs = Counter()
        let future = ResponseFuture.reporting { _, _ in runs.increment() }
        async let first = future.then { $0 }.value
        async let second = future.value
        #expect(try await [first, second] == [1, 1])
        #expect(runs.value == 1)
    }

    @Test("NEVER-HANG: one sent through a weak reference, while its only awaiter runs it, settles")
    func sentWhileAwaited() async throws {
        let gate = Gate(), reference = Box<Weak<ResponseFuture<Int>>>(), log = EventLog()
        func make() -> ResponseFuture<Int> {
            let future = Self.prompt(gate)
            reference.value = Weak(future)
            return future
        }
        let task = Task { try await make().value }
        await gate.reached()
        reference.value?.object?.onSuccess { log("\($0)") }.send()
        gate.open()
        #expect(try await task.value == 5)
        #expect(await log.all(1) == ["5"])
    }

    /// The kinds of futures that a link below reporting work may make.
    private enum Inner: CaseIterable {
        case prompt, chainedOnPrompt, chainedOnOperation, legacyAction, chainedOnAction, held, heldAndChained, sent,
            settled

        func make(_ kept: Box<ResponseFuture<Int>>) -> ResponseFuture<Int> {
            let operation = {
                ResponseFuture {
                    await Task {}.value
                    return 7
                }
            }
            switch self {
            case .prompt: return ResponseFuture.reporting { _, _ in 7 }
            case .chainedOnPrompt: return ResponseFuture.reporting { _, _ in 6 }.then { $0 + 1 }
            case .chainedOnOperation: return operation().then { $0 }
            case .legacyAction: return ResponseFuture { (promise: ResponseFuture<Int>) in promise.succeed(with: 7) }
            case .chainedOnAction:
                return ResponseFuture { (promise: ResponseFuture<Int>) in promise.succeed(with: 6) }.then { $0 + 1 }
            case .held, .heldAndChained, .sent, .settled:
                let future = operation()
                kept.value = future
                if self == .sent { future.send() }
                if self == .settled { return ResponseFuture(result: 7) }
                return self == .heldAndChained ? future.then { $0 } : future
            }
        }
    }

    @Test(
        "NEVER-HANG: a future that a link makes begins, whatever its kind and whatever follows",
        arguments: Inner.allCases)
    private func innerFutures(_ inner: Inner) async throws {
        let gate = Self.opened(), kept = Box<ResponseFuture<Int>>()
        let flat = { Self.prompt(gate).flatMap { _ in inner.make(kept) } }
        #expect(try await flat().value == 7)
        #expect(try await flat().then { $0 + 1 }.value == 8)
        #expect(try await flat().then { $0 }.then { $0 + 1 }.value == 8)
        #expect(try await flat().flatMap { _ in inner.make(kept) }.then { $0 + 1 }.value == 8)
        #expect(try await flat().flatJoin { _ in inner.make(kept) }.then { $0 + $1 }.value == 14)
        #expect(try await Self.prompt(gate).then { $0 }.flatMap { _ in inner.make(kept) }.then { $0 + 1 }.value == 8)
        let shared = Self.prompt(gate)
        #expect(try await shared.flatMap { _ in inner.make(kept) }.then { $0 + 1 }.value == 8)
        #expect(try await shared.value == 5)
    }

    @Test("UP: URLError.cancelled is a cancellation here too")
    func cancellationByURLError() async {
        await #expect(throws: CancellationError.self) {
            try await Self.prompt(Self.opened()).then { _ -> Int in throw URLError(.cancelled) }.value
        }
        await #expect(throws: CancellationError.self) {
            try await ResponseFuture { 1 }.then { _ -> Int in throw URLError(.cancelled) }.value
        }
    }
}

extension ResponseFuture {
    fileprivate static func reporting(_ operation: @escaping ReportingOperation) -> ResponseFuture {
        ResponseFuture(reportingOperation: operation)
    }
}
