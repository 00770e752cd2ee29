import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("A loader of work that blocks", .timeLimit(.oneProcessAtATime))
struct FutureLoaderBlockingTests {
    /// Cancels a load whose work blocks a thread of the pool until nobody waits for the loader.
    @MainActor
    static func check() async throws {
        let hasBegun = Gate(), isWaiting = Gate(), mayEnd = DispatchSemaphore(value: 0), log = EventLog()
        let loader = FutureLoader<Int> {
            ResponseFuture { () throws -> Int in
                hasBegun.open()
                // Longer than anything takes here, so a wait for it would show.
                log(mayEnd.wait(timeout: .now() + 300) == .success ? "in time" : "late")
                return 1
            }
        }
        loader.load()
        await hasBegun.opened()
        let waiting = Awaiting(running: { @MainActor in
            isWaiting.open()
            await loader.finished()
            return "\(loader.isLoading)"
        })
        await isWaiting.opened()
        loader.cancel()
        try #require(await waiting.ending == "value false")
        mayEnd.signal()
        try #require(await log.all(1) == ["in time"])
    }

    #if os(Linux) || os(macOS)
        // In a process of its own, as it blocks a thread of the pool, which may have only two.
        @Test(
            "PROMPT: finished() waits for no work that goes on after its cancellation", .oneProcessAtATime,
            .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
        func cancelled() async {
            await #expect(processExitsWith: .success) { try await FutureLoaderBlockingTests.check() }
        }
    #endif
}
