#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// The limit of a process is often 256 or 1,024 descriptors, and each connection takes one.
    @Suite("The engine over libcurl: few descriptors", .timeLimit(.minutes(10)))
    struct FewDescriptorsTests {
        @Test(
            "NEVER-HANG: 10,000 requests at once are all answered in a process of 256 descriptors", .oneProcessAtATime,
            arguments: [(count: 10_000, connectionsPerHost: 6), (count: 3_000, connectionsPerHost: 1_000)])
        func atOnce(count: Int, connectionsPerHost: Int) async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, count, connectionsPerHost, log = log as ProcessLog]
                in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = connectionsPerHost
                let dispatcher = URLRequestDispatcher(configuration: configuration)
                let request = try ClientProcess.request("/text", of: address)
                let futures = (0..<count).map { _ in dispatcher.dataFuture(from: request) }
                for future in futures { future.send() }
                var answered = 0, failures: [String: Int] = [:]
                for future in futures {
                    do {
                        _ = try await future.value
                        answered += 1
                    } catch {
                        failures["\(error)", default: 0] += 1
                    }
                }
                try log("\(connectionsPerHost) connections: \(answered) answered, \(failures)")
                try #require(answered == count)
            }
            try print(log.text())
        }
    }
#endif
