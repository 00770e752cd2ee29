#if os(Linux) || os(macOS)
    import Foundation
    import PiuPiu
    import Testing

    /// Each fails with a break of the core that no other test noticed. In processes of their own, as they take a thread of
    /// the pool, of which there may be two.
    @Suite(
        "Breaks that survived: work that spins", .timeLimit(.minutes(10)),
        .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    struct SurvivedSpinBreakTests {
        @Test(
            "GROUPS, PROMPT: a join that fails cancels the synchronous part that it has begun",
            arguments: [true, false])
        func spinningPart(isSent: Bool) async {
            await #expect(processExitsWith: .success) { [isSent] in
                let log = EventLog(), begun = Gate(), promise = Box<ResponseFuture<Int>>()
                let spinning = ResponseFuture { () throws -> Int in
                    begun.open()
                    do { return try spinUntilCancelled() } catch {
                        log("\(error)")
                        throw error
                    }
                }
                let failing = ResponseFuture<Int> { promise.value = $0 }
                let joined = ResponseFuture<[Int]>(childFutures: [spinning, failing])
                if isSent { joined.send() }
                let task = isSent ? nil : Awaiting(now: joined)
                await begun.opened()
                promise.value?.fail(with: Mishap())
                promise.value = nil
                try #require(await log.all(1) == ["CancellationError()"])
                if let task { try #require(await task.ending == "error Mishap(number: 0)") }
            }
        }
    }
#endif
