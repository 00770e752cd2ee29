import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
@Suite("A future's transfer as Foundation's Progress", .timeLimit(.minutes(10)))
struct FoundationProgressTests {
    /// A future whose updates and end the test controls.
    private struct Transfer {
        let promise = Box<ResponseFuture<Int>>()
        let future: ResponseFuture<Int>

        init() {
            future = ResponseFuture<Int> { [promise] in promise.value = $0 }
        }

        /// Makes an update, and waits until all callbacks before this one have run.
        @MainActor
        func update(_ progress: TransferProgress) async {
            await withCheckedContinuation { continuation in
                let told = Box<CheckedContinuation<Void, Never>>()
                told.value = continuation
                _ = future.onUpdate { @MainActor update in
                    guard update.progress == progress, let continuation = told.value else { return }
                    told.value = nil
                    continuation.resume()
                }
                promise.value?.update(with: TransferUpdate(stage: .received, progress: progress))
            }
        }
    }

    /// Waits until all callbacks of a future that ends have run.
    private func end<Success>(of future: ResponseFuture<Success>) async {
        await withCheckedContinuation { continuation in
            _ = future.onCompletion { @MainActor in continuation.resume() }
        }
    }

    private func sending(_ count: Int64, of expected: Int64) -> TransferProgress {
        TransferProgress(bytesSent: count, bytesExpectedToSend: expected)
    }

    @Test("COLD: it is indeterminate at first, can be cancelled, and starts nothing")
    func cold() {
        let future = ResponseFuture(result: 1)
        let progress = future.foundationProgress()
        #expect(progress.isIndeterminate)
        #expect(!progress.isFinished)
        #expect(progress.isCancellable)
        #expect(future.status == .created)
    }

    @Test("It follows the bytes, stays one short until there is a value, and finishes with the value")
    func counts() async {
        let transfer = Transfer()
        let progress = transfer.future.foundationProgress()
        transfer.future.send()
        await transfer.update(TransferProgress(bytesReceived: 3))
        #expect(progress.isIndeterminate)
        #expect(progress.completedUnitCount == 3)
        await transfer.update(sending(5, of: 20))
        #expect(progress.fractionCompleted == 0.25)
        #expect(progress.totalUnitCount == 20)
        await transfer.update(sending(20, of: 20))
        #expect(progress.completedUnitCount == 19)
        var both = sending(20, of: 20)
        both.bytesReceived = 10
        both.bytesExpectedToReceive = 20
        await transfer.update(both)
        #expect(progress.totalUnitCount == 40)
        #expect(progress.completedUnitCount == 30)
        await transfer.update(TransferProgress(bytesReceived: 4, bytesExpectedToReceive: 4))
        #expect(progress.totalUnitCount == 4)
        #expect(progress.completedUnitCount == 3)
        #expect(!progress.isFinished)
        transfer.promise.value?.succeed(with: 1)
        await end(of: transfer.future)
        #expect(progress.isFinished)
        #expect(progress.fractionCompleted == 1)
        #expect(progress.totalUnitCount == 4)
        #expect(!progress.isCancellable)
    }

    @Test(
        "Lengths that a server makes up cause no crash",
        arguments: [(0, 0), (-1, -1), (.max, 5), (5, .max), (.max, .max), (.min, .min)] as [(Int64, Int64)])
    func strangeLengths(sent: Int64, received: Int64) async {
        let transfer = Transfer()
        let progress = transfer.future.foundationProgress(), parent = Progress(totalUnitCount: 10)
        parent.addChild(progress, withPendingUnitCount: 10)
        transfer.future.send()
        await transfer.update(sending(1, of: 2))
        await transfer.update(
            TransferProgress(
                bytesSent: sent, bytesExpectedToSend: sent, bytesReceived: received,
                bytesExpectedToReceive: received))
        #expect(!progress.isFinished)
        await transfer.update(sending(1, of: 3))
        transfer.promise.value?.succeed(with: 1)
        await end(of: transfer.future)
        #expect(progress.isFinished)
        #expect(parent.isFinished)
    }

    @Test("A value without any update finishes it; an error doesn't")
    func plainEnds() async {
        let future = ResponseFuture(result: 1), failing = ResponseFuture<Int> { throw Mishap() }
        let progress = future.foundationProgress(), unfinished = failing.foundationProgress()
        future.send()
        failing.send()
        await end(of: future)
        await end(of: failing)
        #expect(progress.isFinished)
        #expect(!unfinished.isFinished)
        #expect(!unfinished.isCancelled)
        #expect(!unfinished.isCancellable)
    }

    @Test("MEMO: the progress of a settled future is finished")
    func late() async throws {
        let future = ResponseFuture(result: 1)
        _ = try await future.value
        let progress = future.foundationProgress()
        await end(of: future)
        #expect(progress.isFinished)
    }

    @Test("UP: its cancel() cancels the future, by itself and through its parent", arguments: [true, false])
    func cancel(throughParent: Bool) async throws {
        let server = try LoopbackServer.start(), log = EventLog()
        let future = URLRequestDispatcher(configuration: .ephemeral)
            .dataFuture(from: server.request("/fault/stall-mid-body"))
        let progress = future.foundationProgress(), parent = Progress(totalUnitCount: 1)
        parent.addChild(progress, withPendingUnitCount: 1)
        future.cancellation { log("cancellation") }.completion { log("completion") }.send()
        try await server.waitForRequests(1)
        (throughParent ? parent : progress).cancel()
        #expect(await log.all(2) == ["cancellation", "completion"])
        #expect(progress.isCancelled)
        #expect(future.status == .cancelled)
        try await server.waitForClosedConnections()
    }

    @Test("EARLY: cancelled before the start, the future sends nothing")
    func early() async {
        let runs = Counter()
        let future = ResponseFuture<Int> { $0.succeed(with: runs.increment()) }
        let progress = future.foundationProgress()
        progress.cancel()
        #expect(await cancelled(future))
        future.send()
        #expect(runs.value == 0)
    }

    /// On Linux the cancellation handler is called a little later.
    private func cancelled(_ future: ResponseFuture<Int>) async -> Bool {
        let isCancelled = Gate()
        _ = future.onCancellation { isCancelled.open() }
        await isCancelled.opened()
        return future.status == .cancelled
    }

    @Test("It is cancelled with the future")
    func cancelledFuture() async {
        let transfer = Transfer()
        let progress = transfer.future.foundationProgress()
        transfer.future.send()
        transfer.future.cancel()
        await end(of: transfer.future)
        #expect(progress.isCancelled)
        #expect(!progress.isFinished)
    }

    @Test("A future that was sent and released is still cancelled", arguments: [true, false])
    func cancelWithoutReference(isLegacy: Bool) async {
        let gate = Gate(), log = EventLog(), promise = Box<ResponseFuture<Int>>()
        func start() -> Progress {
            let root =
                isLegacy
                ? ResponseFuture<Int> {
                    promise.value = $0; gate.open()
                }
                : ResponseFuture<Int> {
                    try await gate.passUnlessCancelled()
                    return 1
                }
            let future = root.then { $0 + 1 }.completion { log("completion") }.cancellation { log("cancellation") }
            future.send()
            return future.foundationProgress()
        }
        let progress = start()
        await (isLegacy ? gate.pass() : gate.reached())
        progress.cancel()
        #expect(await log.all(2) == ["cancellation", "completion"])
    }

    @MainActor
    @Test("AFTER-CANCEL: an outcome that isn't delivered yet is cancelled, though nobody retains the future")
    func cancelBeforeDelivery() async {
        let log = EventLog()
        func settle() -> Progress {
            let promise = Box<ResponseFuture<Int>>()
            let future = ResponseFuture<Int> { promise.value = $0 }
            future.success { _ in log("success") }
                .cancellation { log("cancellation") }
                .completion { log("completion") }
                .send()
            let progress = future.foundationProgress()
            promise.value?.succeed(with: 1)
            return progress
        }
        let progress = settle()
        // What cancel() calls, at once or, on Linux, from another thread.
        progress.cancellationHandler?()
        #expect(await log.all(2) == ["cancellation", "completion"])
    }

    @Test("Several can be parts of one")
    func parts() async throws {
        let server = try LoopbackServer.start()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        let sum = Progress(totalUnitCount: 8)
        let futures = (1...8).map {
            dispatcher.dataFuture(from: server.request("/bytes/\($0 * 33_331)"))
        }
        for future in futures { sum.addChild(future.foundationProgress(), withPendingUnitCount: 1) }
        #expect(sum.fractionCompleted == 0)
        for future in futures { future.send() }
        for future in futures { await end(of: future) }
        #expect(sum.isFinished)
        #expect(sum.fractionCompleted == 1)
    }

    @Test("UNSENT, RELEASE: it retains neither the future nor its captures, and neither retains it")
    func release() async {
        let token = Box<LifetimeToken>(), weakFuture = Box<Weak<AnyResponseFuture>>()
        func makeUnsent() -> Progress {
            let captured = LifetimeToken()
            token.value = captured
            let future = ResponseFuture<Int> { _ in _ = captured }
            weakFuture.value = Weak(future)
            return future.foundationProgress()
        }
        let unsent = makeUnsent()
        let weakToken = Weak(token.value ?? LifetimeToken())
        token.value = nil
        #expect(weakFuture.value != nil)
        #expect(weakFuture.value?.object == nil)
        #expect(weakToken.object == nil)
        unsent.cancel()

        let transfer = Transfer()
        let dropped = Weak(transfer.future.foundationProgress())
        #expect(dropped.object == nil)
        transfer.future.send()
        let kept = transfer.future.foundationProgress()
        transfer.promise.value?.succeed(with: 1)
        await end(of: transfer.future)
        #expect(kept.isFinished)
        #expect(kept.cancellationHandler == nil)
    }
}
