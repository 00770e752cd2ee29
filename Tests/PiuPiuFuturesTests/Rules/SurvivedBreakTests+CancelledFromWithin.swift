import PiuPiu
import TestSupport
import Testing

/// Chains that their own work cancels.
extension SurvivedBreakTests {
    /// The futures that a callback makes from its chain's value.
    enum Inner: CaseIterable, Sendable {
        case asynchronous, synchronous, reporting

        func future(_ log: EventLog) -> ResponseFuture<Int> {
            switch self {
            case .asynchronous:
                ResponseFuture { () async throws -> Int in
                    log("ran")
                    return 1
                }
            case .synchronous:
                ResponseFuture { () throws -> Int in
                    log("ran")
                    return 1
                }
            case .reporting:
                ResponseFuture(reportingOperation: { _, _ in
                    log("ran")
                    return 1
                })
            }
        }
    }

    @Test(
        "EARLY, UP: a future that a callback makes after it cancelled its own chain never begins",
        arguments: FutureMaking.allCases, Inner.allCases)
    func madeAfterCancel(making: FutureMaking, inner: Inner) async {
        await #expect(
            eventsOfCancelledFromWithin { cancel, log in
                making.future {
                    cancel()
                    return inner.future(log)
                }
            } == ["completion"])
    }

    @Test(
        "EARLY, UP: a cold future that a callback returns after it cancelled its own chain stays cold",
        arguments: FutureMaking.allCases, [true, false])
    func keptAfterCancel(making: FutureMaking, isParent: Bool) async throws {
        let cold = ResponseFuture { 7 }.success { _ in }
        await #expect(
            eventsOfCancelledFromWithin { cancel, _ in
                making.future {
                    cancel()
                    return isParent ? cold.then { $0 } : cold
                }
            } == ["completion"])
        #expect(cold.status == .created)
        #expect(try await cold.value == 7)
    }

    @Test("UP: work that cancels its own future is cancelled when that returns, however slow its maker is")
    func cancelledByItsOwnWork() async {
        for round in 0..<5_000 {
            let whole = Box<ResponseFuture<Int>>(), log = EventLog()
            let future = ResponseFuture<Int> { () throws -> Int in
                whole.value?.cancel()
                if !Task.isCancelled { log("not cancelled") }
                return 1
            }.then { number in
                log("transform")
                return number
            }
            whole.value = future
            future.onCompletion { log("completion") }.send()
            await log.wait(for: 1)
            whole.value = nil
            #expect(log.events == ["completion"], "round \(round)")
            if log.events != ["completion"] { break }
        }
    }

    /// The log of a chain whose own work cancels it, once the chain is released.
    func eventsOfCancelledFromWithin(
        _ chain: (_ cancel: @escaping @Sendable () -> Void, EventLog) -> ResponseFuture<Int>
    ) async -> [String] {
        let log = EventLog(), whole = Box<ResponseFuture<Int>>(), released = Population()
        do {
            let member = released.member()
            let cancel = { @Sendable () -> Void in withExtendedLifetime(member) { whole.value?.cancel() } }
            let future = chain(cancel, log)
            whole.value = future
            future.onCompletion { log("completion") }.send()
        }
        await log.wait(for: 1)
        whole.value = nil
        await released.extinct()
        return log.events
    }
}
