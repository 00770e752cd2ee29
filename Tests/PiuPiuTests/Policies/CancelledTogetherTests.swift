import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests that are cancelled together", .timeLimit(.minutes(10)))
struct CancelledTogetherTests {
    /// What cancels the futures.
    enum Ending: CaseIterable, Sendable {
        case scope, join, awaitedJoin, failedJoin, results
    }

    /// An engine that counts what it starts, and ends only what is cancelled.
    private final class Engine: TasklessEngine {
        private let started = Locked<[@Sendable (TransferEvent) -> Void]>([])

        var count: Int { started.withLock { $0.count } }

        var settings: TransferSettings {
            var settings = TransferSettings()
            settings.exchangesPerOrigin = 6
            return settings
        }

        struct Handle: TransferHandle {
            let onEvent: @Sendable (TransferEvent) -> Void

            // On another thread an exchange would end as early, or later.
            func cancel() { onEvent(.failed(CancellationError())) }
        }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            // Retained: an exchange whose engine releases it is over.
            started.withLock { $0.append(onEvent) }
            return Handle(onEvent: onEvent)
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    private static let count = 24

    private let engine = Engine()
    private let driver: TransferDriver
    /// The same with a line in the engine, as below a decoration.
    private let decorated: TransferDriver
    /// How many requests are in flight, or wait for a place.
    private let present = Watched(0)
    private let gate = Gate()

    init() {
        driver = TransferDriver(engine)
        decorated = TransferDriver(engine.limited(to: 6))
    }

    /// A future whose request is in flight, or in the queue, as soon as it counts as present.
    private func future(_ driver: TransferDriver) throws -> ResponseFuture<Int> {
        var urlRequest = URLRequest(url: try url("http://host/"))
        urlRequest.httpMethod = "POST"
        let request = TransferRequest(urlRequest)
        return ResponseFuture { [present, gate] () async throws in
            let handle = driver.start(request) { _ in }
            return await withTaskCancellationHandler {
                present.withLock { $0 += 1 }
                await gate.pass()
                return 1
            } onCancel: {
                handle.cancel()
            }
        }
    }

    @Test(
        "L4: none is sent in the place of another, whatever cancels them, and in whatever order they were sent",
        arguments: Ending.allCases, 0..<80)
    func ending(ending: Ending, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let driver = seed.isMultiple(of: 2) ? driver : decorated
        let futures = try (0..<Self.count).map { _ in try future(driver) }, scope = FutureScope()
        let shuffled = futures.shuffled(using: &generator)
        let (failing, promise) = ResponseFuture<Int>.pending()
        let join = ResponseFuture<[Int]>(childFutures: futures + (ending == .failedJoin ? [failing] : []))
        var awaiting: Awaiting?
        switch ending {
        case .scope:
            for future in futures { _ = future.bound(to: scope) }
            for future in shuffled { future.send() }
        case .join, .failedJoin: join.send()
        case .awaitedJoin: awaiting = Awaiting(now: join.then(\.count))
        case .results:
            awaiting = Awaiting(running: {
                for try await _ in shuffled.valuesInCompletionOrder() {}
                return "end"
            })
        }
        await present.wait { $0 == Self.count }
        #expect(engine.count == 6)
        switch ending {
        case .scope: scope.cancel()
        case .join: join.cancel()
        case .failedJoin: promise.fail(with: Mishap())
        case .awaitedJoin, .results: awaiting?.cancel()
        }
        // It waits for a part that is just beginning.
        if ending == .failedJoin { _ = await join.ending }
        #expect(futures.allSatisfy { $0.status == .cancelled })
        #expect(engine.count == 6)
        gate.open()
    }

    @Test(
        "L4: nor is one sent in the place of another when the dispatcher ends, or the one that it was made from",
        arguments: [false, true], 0..<40)
    func end(isOfDecorated: Bool, round: Int) async throws {
        let network = EngineRouter(engine), limited = network.decorated { $0.limited(to: 6) }
        let exchanges = try limited.start(0..<Self.count)
        #expect(engine.count == 6)
        (isOfDecorated ? limited : network).invalidateAndCancel()
        for exchange in exchanges { #expect(await exchange.trace.end == "cancelled") }
        #expect(engine.count == 6)
    }

    /// One of several steps that are taken as cancellations are.
    private struct Step: CancellableWork {
        let action: @Sendable () -> Void

        func cancel() { action() }
    }

    @Test("L4: nor is one sent in the place of a request that has its slot, but was not sent yet")
    func admitted() async throws {
        let engine = DirectedEngine(), mayStart = DispatchSemaphore(value: 0), hasStarted = DispatchSemaphore(value: 0)
        let exchanges = try engine.limited(to: 3).start(0..<7)
        engine.state.withLock { state in
            // Those whose turn has come are sent one after the other.
            state.duringStart = { [weak engine] in
                let path = engine?.paths.last
                if path == "/3" { mayStart.wait() } else if path == "/6" { hasStarted.signal() }
            }
        }
        engine.answer(0)
        await engine.started(4)
        engine.answer(1)
        // The last step is taken first. In between, all are sent whose turn has come by then.
        let steps = [
            Step { exchanges[5].handle.cancel() },
            Step {
                mayStart.signal()
                engine.answer(2)
                hasStarted.wait()
            },
            Step { exchanges[4].handle.cancel() },
        ]
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                Trampoline.cancel(steps)
                continuation.resume()
            }
        }
        for number in 4...5 { #expect(await exchanges[number].trace.end == "cancelled") }
        #expect(engine.paths == ["/0", "/1", "/2", "/3", "/6"])
    }
}
