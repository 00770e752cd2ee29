import PiuPiu
import TestSupport
import Testing

@Suite("A scope for futures", .timeLimit(.minutes(10)))
struct FutureScopeTests {
    private let futures = ControlledFutures()

    /// How a scope ends the futures that are bound to it.
    enum Ending: CaseIterable, Sendable {
        case cancel, cancelAll, release

        func end(_ scope: inout FutureScope?) {
            switch self {
            case .cancel: scope?.cancel()
            case .cancelAll: scope?.cancelAll()
            case .release: scope = nil
            }
        }
    }

    @Test("UP: futures in flight are cancelled by the time the scope is", arguments: Ending.allCases)
    func running(ending: Ending) async {
        var scope: FutureScope? = FutureScope()
        let bound = (0..<3).map { futures.future($0) }
        if let scope { for future in bound { future.bound(to: scope).send() } }
        let awaiting = Awaiting(now: bound[0])
        #expect(scope?.count == 3)
        ending.end(&scope)
        #expect(bound.map(\.status) == [.cancelled, .cancelled, .cancelled])
        #expect(scope?.count ?? 0 == 0 && scope?.isCancelled ?? true == (ending != .cancelAll))
        #expect(await awaiting.ending == "cancelled")
        // The callbacks of different futures run in any order.
        let cancelled = await futures.log.all(6).filter { $0.hasPrefix("cancel") }
        #expect(cancelled.sorted() == ["cancel 0", "cancel 1", "cancel 2"])
    }

    @Test("EARLY: a future that was not started never starts", arguments: Ending.allCases, [true, false])
    func unstarted(ending: Ending, byAwait: Bool) async {
        var scope: FutureScope? = FutureScope()
        let future = futures.future(1)
        if let scope { _ = future.bound(to: scope) }
        #expect(future.status == .created && futures.log.events.isEmpty)
        ending.end(&scope)
        #expect(future.status == .cancelled)
        if byAwait { #expect(await future.ending == "cancelled") } else { future.send() }
        #expect(await futures.log.all(1) == ["cancel 1"])
    }

    @Test("A future bound to a cancelled scope is cancelled at once, even in flight")
    func late() async {
        let scope = FutureScope()
        scope.cancel()
        let new = futures.future(1).bound(to: scope)
        #expect(new.status == .cancelled)
        let begun = futures.future(2)
        begun.send()
        #expect(begun.bound(to: scope).status == .cancelled)
        #expect(await futures.log.all(3).sorted() == ["cancel 1", "cancel 2", "start 2"])
        scope.cancel()
        #expect(scope.count == 0)
    }

    @Test("After cancelAll() the scope can be used again; after cancel() it can't")
    func reuse() async {
        let scope = FutureScope()
        let first = futures.future(1).bound(to: scope)
        scope.cancelAll()
        let second = futures.future(2).bound(to: scope)
        second.send()
        #expect(first.status == .cancelled && second.status == .started && !scope.isCancelled)
        futures.succeed(2)
        #expect(await second.ending == "value 2")
        scope.cancel()
        scope.cancelAll()
        #expect(futures.future(3).bound(to: scope).status == .cancelled && scope.isCancelled)
    }

    @Test("A settled future leaves the scope, and keeps its outcome", arguments: [true, false])
    func settled(hasFailed: Bool) async {
        let scope = FutureScope(), (pending, promise) = ResponseFuture<Int>.pending()
        let future = pending.bound(to: scope), awaiting = Awaiting(now: future)
        if hasFailed { promise.fail(with: Mishap()) } else { promise.succeed(with: 1) }
        let ending = await awaiting.ending
        #expect(scope.count == 0)
        scope.cancel()
        #expect(await future.ending == ending && ending != "cancelled")
        #expect(future.bound(to: scope).status == (hasFailed ? .error : .success))
    }

    @Test("A future without callbacks has left by the time its awaiter resumes")
    func left() async throws {
        let scope = FutureScope()
        #expect(try await ResponseFuture { 1 }.bound(to: scope).value == 1 && scope.count == 0)
        let inner = ResponseFuture { () async in 1 }.bound(to: scope).then { $0 + 1 }
        #expect(try await inner.value == 2 && scope.count == 0)
    }

    @Test("AFTER-CANCEL: callbacks that have not been called when the scope is cancelled get a cancellation")
    @MainActor
    func undelivered() async {
        let scope = FutureScope(), log = EventLog()
        let (future, promise) = ResponseFuture<Int>.pending()
        future.bound(to: scope).success { _ in log("success") }.cancellation { log("cancellation") }
            .completion { log("completion") }.send()
        promise.succeed(with: 1)
        // On the main actor: none of them can have been called by now.
        #expect(future.status == .success && scope.count == 1)
        scope.cancel()
        #expect(await log.all(2) == ["cancellation", "completion"])
        #expect(scope.count == 0)
    }

    @Test("INTEREST: a parent is cancelled with its bound child, unless it has another awaiter")
    func parents() async {
        let scope = FutureScope(), shared = futures.future(1), own = futures.future(2)
        let stays = Awaiting(now: shared)
        await futures.log.wait(for: 1)
        let bound = shared.then { $0 }.bound(to: scope), other = own.then { $0 }.bound(to: scope)
        bound.send()
        other.send()
        await futures.log.wait(for: 2)
        scope.cancel()
        #expect(bound.status == .cancelled && shared.status == .started)
        #expect(other.status == .cancelled && own.status == .cancelled)
        futures.succeed(1)
        #expect(await stays.ending == "value 1")
    }

    @Test("UP: a future made from a bound one is cancelled with it")
    func children() async {
        let scope = FutureScope(), child = futures.future(1).bound(to: scope).then { $0 }
        let awaiting = Awaiting(now: child)
        await futures.log.wait(for: 1)
        scope.cancel()
        #expect(await awaiting.ending == "cancelled")
        #expect(child.status == .cancelled)
    }

    @Test("A promise that others hold is cancelled too, after its future is gone")
    func standIn() async {
        let scope = FutureScope(), isCancelled = Gate()
        let promise = Box<ResponseFuture<Int>>()
        func child() -> ResponseFuture<Int> {
            let (future, pending) = ResponseFuture<Int>.pending()
            promise.value = pending.onCancellation { isCancelled.open() }
            return future.bound(to: scope).then { $0 }
        }
        let made = child()
        made.send()
        scope.cancel()
        await isCancelled.opened()
        #expect(await made.ending == "cancelled" && promise.value?.status == .cancelled)
    }

    @Test("Binding returns the same future, typed or untyped, in several scopes")
    func same() {
        let first = FutureScope(), second = FutureScope(), (future, promise) = ResponseFuture<Int>.pending()
        #expect(future.bound(to: first).bound(to: second).bound(to: first) === future)
        let any: AnyResponseFuture = future
        #expect(any.bound(to: second) === future)
        #expect(first.count == 2 && second.count == 2)
        future.send()
        second.cancel()
        #expect(future.status == .cancelled && promise.status == .cancelled && first.count == 0)
    }

    @Test("PROMPT: deaf work keeps no awaiter waiting")
    func deaf() async {
        let gate = Gate(), scope = FutureScope()
        let awaiting = Awaiting { ResponseFuture { () async in await gate.pass() }.bound(to: scope) }
        await gate.reached()
        scope.cancel()
        #expect(await awaiting.ending == "cancelled")
        gate.open()
    }

    @Test("The text of a scope")
    func description() {
        let scope = FutureScope(), future = futures.future(1).bound(to: scope)
        #expect("\(scope)" == "FutureScope(1 bound)")
        scope.cancel()
        #expect("\(scope)" == "FutureScope(cancelled)" && future.status == .cancelled)
    }
}
