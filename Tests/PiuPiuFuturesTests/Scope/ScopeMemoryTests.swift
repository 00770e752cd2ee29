import PiuPiu
import TestSupport
import Testing

@Suite("What a scope keeps", .timeLimit(.minutes(10)))
struct ScopeMemoryTests {
    private let scope = FutureScope()

    @Test("UNSENT: a future that is never started is released at once, with its captures, and leaves the scope")
    func unsent() {
        let population = Population()
        do {
            let member = population.member()
            let future = ResponseFuture { () async in withExtendedLifetime(member) { 1 } }
            _ = future.bound(to: scope).onSuccess { _ in withExtendedLifetime(member) {} }
            #expect(scope.count == 1 && population.count == 1)
        }
        #expect(scope.count == 0 && population.count == 0)
        let promise = {
            let (future, promise) = ResponseFuture<Int>.pending()
            _ = future.bound(to: scope)
            return promise
        }()
        withExtendedLifetime(promise) { #expect(scope.count == 0) }
    }

    @Test("RELEASE: a future cancelled before its start retains nothing, no matter who holds it")
    func cancelled() async {
        let population = Population()
        let future = {
            let member = population.member()
            return ResponseFuture { () async in withExtendedLifetime(member) { 1 } }
        }()
        _ = future.bound(to: scope)
        scope.cancel()
        await population.extinct()
        #expect(await future.ending == "cancelled")
    }

    @Test("A scope retains none of 20,000 settled futures")
    func settled() async throws {
        let population = Population()
        for number in 0..<20_000 {
            let member = population.member()
            let future = ResponseFuture { () async in withExtendedLifetime(member) { number } }.bound(to: scope)
            if number.isMultiple(of: 2_000) {
                #expect(try await future.value == number && scope.count == 0)
            } else {
                _ = try await future.value
            }
        }
        #expect(scope.count == 0)
        await population.extinct()
    }

    @Test("20,000 futures in flight are cancelled together")
    func many() async {
        let population = Population()
        let futures = (0..<20_000).map { _ in
            let member = population.member(), (future, promise) = ResponseFuture<Int>.pending()
            _ = promise.onCancellation { withExtendedLifetime((promise, member)) {} }
            return future.bound(to: scope)
        }
        for future in futures { future.send() }
        #expect(scope.count == 20_000)
        scope.cancel()
        #expect(scope.count == 0 && futures.allSatisfy { $0.status == .cancelled })
        await population.extinct()
    }

    @Test("Neither a future nor its callbacks retain the scope: its owner's release cancels")
    func owner() async {
        final class Owner: Sendable {
            let scope = FutureScope()
        }
        let isCancelled = Gate()
        var owner: Owner? = Owner()
        let (future, promise) = ResponseFuture<Int>.pending()
        if let owner {
            future.bound(to: owner.scope).onSuccess { [weak owner] _ in withExtendedLifetime(owner) {} }
                .onCancellation { isCancelled.open() }.send()
        }
        let scope = owner.map { Weak($0.scope) }
        owner = nil
        await isCancelled.opened()
        #expect(scope?.object == nil && promise.status == .cancelled)
    }

    @Test("DEPTH: a chain of 20,000 bound futures is cancelled")
    func deepChain() async {
        let (future, promise) = ResponseFuture<Int>.pending()
        var last = future
        for _ in 0..<20_000 { last = last.then { $0 }.bound(to: scope) }
        let awaiting = Awaiting(now: last)
        scope.cancel()
        #expect(await awaiting.ending == "cancelled")
        #expect(scope.count == 0 && promise.status != .success)
    }

    @Test("Binding, settling and cancelling at once on many threads leaves no future behind", arguments: 0..<20)
    func storm(round: Int) async {
        let scope = FutureScope()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        let (future, promise) = ResponseFuture<Int>.pending()
                        let bound = future.bound(to: scope)
                        bound.send()
                        if (number + worker).isMultiple(of: 2) { promise.succeed(with: number) }
                        let ending = await bound.ending
                        withExtendedLifetime(promise) {}
                        #expect(ending == "cancelled" || ending == "value \(number)")
                    }
                }
            }
            group.addTask {
                for _ in 0..<1000 where round.isMultiple(of: 2) { scope.cancelAll() }
                scope.cancel()
            }
        }
        #expect(scope.count == 0 && scope.isCancelled)
    }
}
