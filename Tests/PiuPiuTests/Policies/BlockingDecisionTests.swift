#if os(Linux) || os(macOS)
    import Dispatch
    import Foundation
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("Closures of a retry that block", .timeLimit(.oneProcessAtATime))
    struct BlockingDecisionTests {
        /// Waits for a deadline while a closure of the policy blocks a thread of the pool.
        private static func check(method: String) async throws {
            let mayReturn = DispatchSemaphore(value: 0), hasBegun = Locked(false), log = EventLog()
            let block = { @Sendable () -> Bool in
                hasBegun.withLock { $0 = true }
                // Longer than anything takes here, so a wait for it would show.
                log(mayReturn.wait(timeout: .now() + 300) == .success ? "in time" : "late")
                return false
            }
            var policy = RetryPolicy.standard
            switch method {
            case "GET": policy.decision = { _, _, _ in block() }
            default: policy.isRepeatable = { _ in block() }
            }
            let server = try LoopbackServer.start()
            var request = server.request("/status/503")
            request.httpMethod = method
            let dispatcher = URLRequestDispatcher(configuration: .ephemeral).retrying(policy).deadline(.seconds(1))
            let ending = await dispatcher.dataFuture(from: request).statusOrStage
            mayReturn.signal()
            try #require(ending.hasPrefix("1.0 seconds"))
            // On a very slow machine the deadline may come first.
            if hasBegun.withLock({ $0 }) { try #require(await log.all(1) == ["in time"]) }
        }

        // In a process of its own, as it blocks a thread of the pool, which may have only two.
        @Test(
            "D2 PROMPT: a deadline doesn't wait for a decision, nor for isRepeatable", .oneProcessAtATime,
            .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1), arguments: ["GET", "POST"])
        func blocked(method: String) async {
            await #expect(processExitsWith: .success) { [method] in
                try await BlockingDecisionTests.check(method: method)
            }
        }
    }
#endif
