import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Joins that are sent while another one begins", .timeLimit(.minutes(10)))
struct JoinStartTests {
    /// Calls back when it is released.
    private final class Release: Sendable {
        private let callback: @Sendable () -> Void

        init(_ callback: @escaping @Sendable () -> Void) { self.callback = callback }

        deinit { callback() }
    }

    private let log = EventLog()

    private func action(_ name: String) -> ResponseFuture<Int> {
        ResponseFuture { [log] future in
            log(name)
            future.succeed(with: 1)
        }
    }

    /// Sends a join when it is released.
    private func sender() -> Release {
        Release { [self] in
            action("a").join(action("b")).send()
            log("sent")
        }
    }

    /// An action that sends a join when it is released.
    private func sendingAction() -> ResponseFuture<Int> {
        let release = sender()
        return ResponseFuture { [log] future in
            withExtendedLifetime(release) { log("c") }
            future.succeed(with: 1)
        }
    }

    @Test(
        "SYNC-START: one that is sent where another one ends runs its actions inside send()",
        arguments: [true, false])
    func sentByEnd(hasFailedBefore: Bool) async {
        let begun = DispatchSemaphore(value: 0), gate = Gate(), hasReturned = Gate()
        let work = ResponseFuture<Int> {
            try await withTaskCancellationHandler {
                begun.signal()
                try await gate.passUnlessCancelled()
                return 1
            } onCancel: {
                action("a").join(action("b")).send()
                log("sent")
            }
        }
        let running = ResponseFuture<Int>(action: { future in
            work.fulfill(future)
            begun.wait()
        })
        let failing = ResponseFuture<Int>(action: { _ in throw Mishap() })
        if hasFailedBefore { #expect(await failing.ending == "error \(Mishap())") }
        // A thread of its own, as it blocks.
        Thread.detachNewThread {
            running.join(failing).send()
            hasReturned.open()
        }
        await hasReturned.opened()
        #expect(log.events == ["a", "b", "sent"])
    }

    @Test(
        "SYNC-START: one that is sent where a part releases a callback runs its actions inside send()",
        arguments: [true, false])
    func sentByCallback(isAbovePart: Bool) {
        func observed() -> ResponseFuture<Int> {
            let release = sender()
            return action("c").success { _ in withExtendedLifetime(release) {} }
        }
        let part = observed()
        // The join takes over the callbacks of its parts, as an operator does.
        (isAbovePart ? part.then { $0 } : part).join(action("d")).send()
        #expect(log.events == ["a", "b", "sent", "c", "d"])
    }

    @Test("SYNC-START: one that is sent where a part releases its action runs its actions inside send()")
    func sentByAction() {
        sendingAction().join(action("d")).send()
        #expect(log.events == ["c", "a", "b", "sent", "d"])
    }

    @Test("SYNC-START: one that is sent where an action releases its promise runs its actions inside send()")
    func sentByPromise() {
        // It fails, which releases the other part.
        ResponseFuture<Int>(action: { _ in log("forgotten") }).join(sendingAction()).send()
        #expect(log.events == ["forgotten", "a", "b", "sent"])
    }

    @Test("SYNC-START: one that is sent where a cancelled part releases its own parts runs its actions inside send()")
    func sentByParts() {
        let whole = Box<AnyResponseFuture>()
        func part() -> ResponseFuture<(Int, Int)> {
            let release = Release { whole.value?.cancel() }
            return sendingAction().join(action("d")).success { _ in withExtendedLifetime(release) {} }
        }
        // It is cancelled where the join takes over the callback of the part, which is about to begin.
        let joined = part().join(action("e"))
        whole.value = joined
        joined.send()
        #expect(joined.status == .cancelled && log.events == ["a", "b", "sent"])
    }
}
