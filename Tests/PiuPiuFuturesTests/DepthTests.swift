import Foundation
import PiuPiu
import TestSupport
import Testing

/// A hundred thousand links overflow the stack where a link takes five bytes of it; by themselves, with
/// `PIUPIU_LARGE_TRANSFERS=1`, the tests take the million of the rule.
@Suite("DEPTH: long chains, on a stack of 512 KB", .serialized, .timeLimit(.minutes(10)))
struct DepthTests {
    static let length =
        ProcessInfo.processInfo.environment["PIUPIU_LARGE_TRANSFERS"] == nil ? 100_000 : 1_000_000

    private static func chain(from root: ResponseFuture<Int>) -> ResponseFuture<Int> {
        (0..<length).reduce(root) { future, _ in future.then { $0 + 1 } }
    }

    @Test("build and drop unsent")
    func drop() async {
        let weakEnds = await onSmallStack {
            let root = ResponseFuture(result: 0), last = Self.chain(from: root)
            return (Weak<AnyResponseFuture>(root), Weak<AnyResponseFuture>(last))
        }
        #expect(weakEnds.0.object == nil)
        #expect(weakEnds.1.object == nil)
    }

    @Test("send, and get the callback", arguments: [true, false])
    func send(startsWithAction: Bool) async {
        let log = EventLog()
        await onSmallStack {
            let root: ResponseFuture<Int> =
                startsWithAction ? ResponseFuture { $0.succeed(with: 0) } : ResponseFuture(result: 0)
            Self.chain(from: root).success { log("\($0)") }.send()
        }
        #expect(await log.all(1) == ["\(Self.length)"])
    }

    @Test("await; the error of the first link passes all others")
    func await() async throws {
        let future = await onSmallStack { Self.chain(from: ResponseFuture(result: 0)) }
        #expect(try await future.value == Self.length)
        let failing = await onSmallStack { Self.chain(from: ResponseFuture(error: Mishap(number: 1))) }
        #expect(await failing.ending == "error Mishap(number: 1)")
    }

    @Test("cancel before the start, and while running")
    func cancel() async {
        let weakRoot = await onSmallStack {
            let root = ResponseFuture(result: 0)
            Self.chain(from: root).cancel()
            return Weak<AnyResponseFuture>(root)
        }
        #expect(weakRoot.object == nil)

        let gate = Gate()
        let running = await onSmallStack {
            let future = Self.chain(
                from: ResponseFuture {
                    try await gate.passUnlessCancelled()
                    return 0
                })
            future.send()
            return future
        }
        await gate.reached()
        await onSmallStack { running.cancel() }
        #expect(await running.ending == "cancelled")
    }
}
