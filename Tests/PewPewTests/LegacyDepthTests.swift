import Foundation
import PewPew
import TestSupport
import Testing

/// A way to add a link to a chain. The link adds one to the value.
private enum Link: Sendable {
    case then, replace, replaceChained, replaceFulfilling, join, await

    private func one(_ value: Int) -> ResponseFuture<Int> { ResponseFuture(action: { $0.succeed(with: value) }) }

    func add(to future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        switch self {
        case .then: future.then { $0 + 1 }
        case .replace: future.replace { one($0 + 1) }
        case .replaceChained: future.replace { one($0).then { $0 + 1 } }
        case .replaceFulfilling: future.replace { value in ResponseFuture(action: { one(value + 1).fulfill($0) }) }
        case .join: future.join { _ in one(1) }.then { $0 + $1 }
        case .await: future.await { one($0) }.then { $0 + 1 }
        }
    }
}

/// Ten thousand links overflow the stack where a link takes fifty bytes of it.
@Suite("DEPTH: legacy chains of ten thousand links", .serialized, .timeLimit(.minutes(10)))
struct LegacyDepthTests {
    private static let length = 10_000

    private let log = EventLog()

    private static func chain(_ link: Link, from root: ResponseFuture<Int>) -> ResponseFuture<Int> {
        (0..<length).reduce(root) { future, _ in link.add(to: future) }
    }

    private func observed(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        let log = log
        return future.response { log("response \($0)") }.error { log("error \($0)") }.completion { log("completion") }
    }

    @Test("KEEP, DEPTH: what is settled inside send() is delivered inside it", arguments: [Link.then, .replace])
    @MainActor
    private func synchronous(_ link: Link) {
        observed(Self.chain(link, from: ResponseFuture(action: { $0.succeed(with: 0) }))).send()
        #expect(log.events == ["response \(Self.length)", "completion"])
    }

    @Test(
        "DEPTH: sent, settled and dropped on a stack of 512 KB",
        arguments: [Link.replaceChained, .replaceFulfilling, .join, .await])
    private func smallStack(_ link: Link) async {
        await onSmallStack {
            _ = observed(Self.chain(link, from: ResponseFuture(action: { $0.succeed(with: 0) }))).send()
        }
        #expect(await log.all(2) == ["response \(Self.length)", "completion"])
    }

    @Test("DEPTH: the error of the first link passes all others, and so does that of an abandoned one")
    func failure() async {
        await onSmallStack {
            let failing = ResponseFuture<Int>(action: { _ in throw Mishap(number: 1) })
            _ = observed(Self.chain(.then, from: failing)).send()
        }
        #expect(await log.all(2) == ["error Mishap(number: 1)", "completion"])
        await onSmallStack {
            let abandoned = ResponseFuture<Int>(file: "File", line: 7, action: { _ in })
            _ = observed(Self.chain(.join, from: abandoned)).send()
        }
        #expect(await log.all(4).suffix(2) == [#"error abandoned(file: "File", line: 7)"#, "completion"])
    }

    @Test("DEPTH, UNSENT: built and dropped on a stack of 512 KB, with what it captured", arguments: [Link.join])
    private func drop(_ link: Link) async {
        let released = await onSmallStack {
            let token = LifetimeToken()
            _ = Self.chain(link, from: ResponseFuture(action: { _ in withExtendedLifetime(token) {} }))
            return Weak(token)
        }
        #expect(released.object == nil)
    }

    @Test("DEPTH, RELEASE: a chain that was sent is dropped on a stack of 512 KB")
    func dropAfterRun() async {
        let place = Box<ResponseFuture<Int>>()
        let released = await onSmallStack {
            let token = LifetimeToken()
            let root = ResponseFuture<Int>(action: { future in
                withExtendedLifetime(token) { future.succeed(with: 0) }
            })
            place.value = observed(Self.chain(.then, from: root)).send()
            return Weak(token)
        }
        #expect(await log.all(2) == ["response \(Self.length)", "completion"])
        // The delivery retains the chain until it ends.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(released.object != nil)
        await onSmallStack { place.value = nil }
        #expect(released.object == nil)
    }

    @Test("DEPTH, DOWN: cancelled on a stack of 512 KB, all the way up")
    func cancel() async {
        let log = log, roots = Box<ResponseFuture<Int>>()
        let root = ResponseFuture<Int>(action: { future in
            roots.value = future
            log("started")
        }).completion { log("completion") }
        let task = Task { [chain = Self.chain(.then, from: root)] in try await chain.value }
        _ = await log.all(1)
        await onSmallStack { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await log.all(2) == ["started", "completion"])
        #expect(roots.value?.status == .error)
    }

    @Test("DEPTH: a promise is sent and dropped on a stack of 512 KB", arguments: [true, false])
    func promise(succeeds: Bool) async {
        let log = log
        await onSmallStack {
            var promise = Promise<Int, Int>(action: { succeeds ? $0.succeed(with: 0) : $0.fail(with: 0) })
            for _ in 0..<Self.length { promise = promise.then { $0 + 1 }.thenFailure { $0 + 2 } }
            _ = promise.success { log("success \($0)") }.failure { log("failure \($0)") }
                .completion { log("completion") }.send()
        }
        #expect(await log.all(2) == [succeeds ? "success \(Self.length)" : "failure \(2 * Self.length)", "completion"])
    }
}
