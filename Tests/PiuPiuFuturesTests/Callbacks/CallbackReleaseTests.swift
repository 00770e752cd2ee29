import PiuPiu
import TestSupport
import Testing

/// An object that cancels its future when it is released, as the owner of a request may.
private final class Owner: Sendable {
    let future: ResponseFuture<Int>
    let log: EventLog

    init(of future: ResponseFuture<Int>, _ log: EventLog) {
        self.future = future
        self.log = log
    }

    deinit {
        future.cancel()
        log("gone, \(future.status)")
    }
}

@Suite("Callbacks whose captures use the future when they are released", .timeLimit(.minutes(10)))
struct CallbackReleaseTests {
    private enum Family: CaseIterable { case legacy, modern }

    private let log = EventLog()

    private func owned(_ future: ResponseFuture<Int>, _ attach: (Owner) -> Void) {
        attach(Owner(of: future, log))
    }

    @Test("SLOT: a callback that is replaced")
    func replaced() async {
        let future = ResponseFuture { 1 }
        owned(future) { owner in _ = future.success { [owner] _ in withExtendedLifetime(owner) {} } }
        _ = future.success { _ in }
        #expect(await log.all(1).count == 1)
    }

    @Test("SLOT: callbacks that an operator takes over")
    func takenOver() async {
        let future = ResponseFuture { 1 }
        owned(future) { owner in _ = future.success { [owner] _ in withExtendedLifetime(owner) {} } }
        _ = await future.then { $0 }.ending
        #expect(await log.all(1).count == 1)
    }

    @Test(
        "RELEASE: callbacks that are notified, and those for another outcome, of either family",
        arguments: Family.allCases, [true, false])
    private func ended(_ family: Family, isTold: Bool) async {
        let future = ResponseFuture { 1 }
        owned(future) { owner in
            switch (family, isTold) {
            case (.legacy, true): _ = future.success { [owner] _ in withExtendedLifetime(owner) {} }
            case (.legacy, false): _ = future.error { [owner] _ in withExtendedLifetime(owner) {} }
            case (.modern, true): _ = future.onSuccess { [owner] _ in withExtendedLifetime(owner) {} }
            case (.modern, false): _ = future.onFailure { [owner] _ in withExtendedLifetime(owner) {} }
            }
        }
        future.send()
        #expect(await log.all(1).count == 1)
        #expect(await future.ending == "value 1")
    }

    @Test("AFTER-CANCEL: callbacks of a future that is cancelled")
    func cancelled() async {
        let gate = Gate(), future = ResponseFuture { try await gate.passUnlessCancelled() }.then { 1 }
        owned(future) { owner in
            _ = future.updated { [owner] _ in withExtendedLifetime(owner) {} }
                .success { [owner] _ in withExtendedLifetime(owner) {} }
        }
        future.send()
        await gate.reached()
        future.cancel()
        #expect(await log.all(1).count == 1)
    }
}
