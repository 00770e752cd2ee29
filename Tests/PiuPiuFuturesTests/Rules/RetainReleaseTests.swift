import Dispatch
import PiuPiu
import TestSupport
import Testing

@Suite("RETAIN, RELEASE: after the last callback", .timeLimit(.minutes(10)))
struct RetainReleaseTests {
    /// An error that carries an object whose release is counted.
    private struct Carrying: Error {
        let member: Population.Member
    }

    private enum Form: CaseIterable { case action, operation, chain, join }

    /// A future whose outcome carries a member of the population, released with the future.
    private func future(_ form: Form, _ members: Population, fails: Bool) -> ResponseFuture<Population.Member> {
        let outcome = { @Sendable () throws -> Population.Member in
            let member = members.member()
            if fails { throw Carrying(member: member) }
            return member
        }
        switch form {
        case .action: return ResponseFuture { future in future.complete(with: Result { try outcome() }) }
        case .operation:
            return ResponseFuture {
                await Task {}.value
                return try outcome()
            }
        case .chain: return ResponseFuture { 1 }.then { _ in try outcome() }.then { $0 }
        case .join: return ResponseFuture { 1 }.join(ResponseFuture { try outcome() }).then { $1 }
        }
    }

    @Test(
        "RELEASE: a sent future and its outcome are released after its last callback",
        arguments: [true, false],
        [true, false])
    func futureGoes(isSlot: Bool, fails: Bool) async {
        for form in Form.allCases {
            let members = Population(), log = EventLog()
            let reference: Weak<ResponseFuture<Population.Member>> = {
                let future = future(form, members, fails: fails)
                if isSlot {
                    future.success { _ in log("success") }.error { _ in log("error") }
                        .completion { log("completion") }.send()
                } else {
                    future.onSuccess { _ in log("success") }.onFailure { _ in log("error") }
                        .onCompletion { log("completion") }.send()
                }
                return Weak(future)
            }()
            #expect(await log.all(2) == [fails ? "error" : "success", "completion"])
            await members.extinct()
            #expect(reference.object == nil, "\(form)")
        }
    }

    @Test("RELEASE: an awaited future is released once the awaiter has its value", arguments: Holding.allCases)
    func awaitedGoes(holding: Holding) async throws {
        for form in Form.allCases {
            let members = Population(), keeper = Keeper<Population.Member>(holding), log = EventLog()
            let reference = Box<Weak<ResponseFuture<Population.Member>>>()
            let task = Awaiting { [self] in
                let future = keeper.keep(future(form, members, fails: false))
                reference.value = Weak(future)
                return future.then { member in withExtendedLifetime(member) { 1 } }
            }
            #expect(await task.ending == "value 1")
            log("over")
            keeper.release()
            await members.extinct()
            if holding != .temporary { #expect(reference.value?.object == nil, "\(form)") }
        }
    }

    @Test("RELEASE: a cancelled transform on a queue, and its value, are released before their turn comes")
    func queuedTransformGoes() async {
        let members = Population(), queue = DispatchQueue(label: "busy"), isFree = DispatchSemaphore(value: 0)
        defer { isFree.signal() }
        queue.async { isFree.wait() }
        let awaiter = Awaiting(
            now: ResponseFuture { members.member() }.then(on: queue) { member in withExtendedLifetime(member) {} })
        awaiter.cancel()
        #expect(await awaiter.ending == "cancelled")
        await members.extinct()
    }

    @MainActor
    @Test(
        "RELEASE: by the end of completion's turn all captures and the future are released",
        arguments: ["value", "error", "cancellation"], [true, false])
    func captures(end: String, isHeld: Bool) async {
        var token: LifetimeToken? = LifetimeToken()
        let weakToken = Weak(token ?? LifetimeToken()), keeper = Keeper<Int>(isHeld ? .held : .weakly)
        await withCheckedContinuation { continuation in
            keeper.keep(
                ResponseFuture<Int> { [token] future in
                    withExtendedLifetime(token) {}
                    future.update(with: TransferUpdate(stage: .started))
                    switch end {
                    case "value": future.succeed(with: 1)
                    case "error": future.fail(with: Mishap())
                    default: future.cancel()
                    }
                }
                .updated { [token] _ in withExtendedLifetime(token) {} }
                .success { [token] _ in withExtendedLifetime(token) {} }
                .error { [token] _ in withExtendedLifetime(token) {} }
                .cancellation { [token] in withExtendedLifetime(token) {} }
                .completion { [token] in
                    withExtendedLifetime(token) {}
                    DispatchQueue.main.async { continuation.resume() }
                }
            ).send()
            token = nil
        }
        #expect(weakToken.object == nil)
        #expect((keeper.future == nil) == !isHeld)
    }

    @MainActor
    @Test(
        "RELEASE: a future cancelled in flight releases its work and callbacks",
        arguments: Holding.reachable)
    func cancelled(holding: Holding) async {
        let members = Population(), gate = Gate(), keeper = Keeper<Int>(holding)
        do {
            let work = members.member(), transform = members.member(), callback = members.member()
            keeper.keep(
                ResponseFuture {
                    try await gate.passUnlessCancelled()
                    return withExtendedLifetime(work) { 1 }
                }
                .then { number in withExtendedLifetime(transform) { number } }
                .success { _ in withExtendedLifetime(callback) {} }
            ).send()
        }
        await gate.reached()
        keeper.future?.cancel()
        await members.extinct()
    }
}
