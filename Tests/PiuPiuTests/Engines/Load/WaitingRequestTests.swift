#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestProcess
    import TestSupport
    import Testing

    /// An engine burns a core if it polls, or if a connection that it does not read from wakes it again and again. That
    /// takes hundreds of milliseconds. Waiting takes 1 to 2 on a quiet machine, and more beside all other tests.
    @Suite("The engine over libcurl: processor time while waiting", .timeLimit(.oneProcessAtATime))
    struct WaitingRequestTests {
        /// What the client waits for.
        enum Wait: String, CaseIterable, Sendable {
            case get, post, reusedConnection, longStream, unreadStream, lateChunk, idleConnections
        }

        /// The sanitizers' own work takes time, too.
        private static let longestMilliseconds = 25.0 * (isSanitized ? 4 : 1)
        private static let isSanitized = ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains {
            ProcessInfo.processInfo.environment[$0] != nil
        }

        @Test("A second of waiting takes next to no processor time", .oneProcessAtATime)
        func waits() async throws {
            let server = try LoopbackServer.start()
            let parts = [Data("a".utf8), Data("b".utf8)]
            server.handle("GET", "/pause", reply: .chunked(parts) { $0 == 0 ? [] : [.pause(seconds: 1)] })
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, log = log as ProcessLog] in
                try InheritedSockets.close()
                // Creates what is created once: pools, caches, threads.
                for wait in Wait.allCases { _ = try await Self.milliseconds(of: wait, at: address, seconds: 0) }
                for wait in Wait.allCases {
                    // The least of up to three, as a machine under load may disturb one of them.
                    var milliseconds = Double.infinity
                    for _ in 0..<3 where milliseconds > Self.longestMilliseconds {
                        milliseconds = min(
                            milliseconds, try await Self.milliseconds(of: wait, at: address, seconds: 1))
                    }
                    try log("\(wait): \(milliseconds) ms")
                    try #require(milliseconds <= Self.longestMilliseconds)
                }
            }
            try print(log.text())
        }

        @Test("A closed connection that a forked child still holds doesn't wake the engine", .oneProcessAtATime)
        func forkedChild() async throws {
            let server = try LoopbackServer.start(), gate = LoopbackGate()
            let parts = [Data("a".utf8), Data("b".utf8)]
            server.handle("GET", "/a", reply: .chunked(parts) { $0 == 0 ? [] : [.gate(gate)] })
            server.handle("GET", "/b") { _ in
                gate.open()
                return .text("b")
            }
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, log = log as ProcessLog] in
                try InheritedSockets.close()
                let engine = try #require(CurlEngine(configuration: .ephemeral)), driver = TransferDriver(engine)
                let events = Log<TransferEvent>()
                let request = TransferRequest(try ClientProcess.request("/a", of: address))
                let handle = driver.start(request) { events.append($0) }
                _ = await events.first { if case .body = $0 { true } else { $0.isTerminal } }
                let child = test_process_fork()
                try #require(child > 0)
                defer {
                    kill(child, SIGKILL)
                    waitpid(child, nil, 0)
                }
                handle.cancel()
                _ = await events.untilTheEnd()
                // Then the server sends to the connection that only the child has.
                _ = try await engine.load(try url(address + "/b"))
                let longest = Self.longestMilliseconds / 1_000
                let seconds = await ClientProcess.leastProcessorSeconds(idle: 1_000, atMost: longest)
                let milliseconds = seconds * 1_000
                try log("Forked child: \(milliseconds) ms")
                try #require(seconds <= longest)
            }
            try print(log.text())
        }

        /// The processor time of a wait, with an engine and connections of its own.
        private static func milliseconds(of wait: Wait, at server: String, seconds: Int) async throws -> Double {
            let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
            let delay = try ClientProcess.request("/delay/\(seconds * 1_000)", of: server)
            let start = ClientProcess.processorSeconds()
            var spent = 0.0
            switch wait {
            case .get:
                _ = try await dispatcher.dataFuture(from: delay).value
            case .post:
                var request = delay
                request.httpMethod = "POST"
                _ = try await dispatcher.uploadFuture(from: request, with: Data("{}".utf8)).value
            case .reusedConnection:
                _ = try await dispatcher.dataFuture(from: ClientProcess.request("/text", of: server)).value
                _ = try await dispatcher.dataFuture(from: delay).value
            case .longStream:
                let path = seconds == 0 ? "/text" : "/pause"
                let request = try ClientProcess.request(path, of: server)
                for try await _ in try await dispatcher.streamFuture(from: request).value.data {}
            case .unreadStream:
                let request = try ClientProcess.request("/flow/100000000", of: server)
                let body = try await dispatcher.streamFuture(from: request).value.data
                // Receiving takes its share of the time, until back-pressure stops the server.
                _ = await ClientProcess.processorSeconds(idle: 500 * seconds)
                spent = await ClientProcess.processorSeconds(idle: 1_000 * seconds)
                withExtendedLifetime(body) {}
                return spent * 1_000
            case .lateChunk:
                let (chunks, next) = AsyncStream.makeStream(of: Data.self)
                var request = try ClientProcess.request("/sink", of: server)
                request.httpMethod = "POST"
                next.yield(Data("first".utf8))
                let future = dispatcher.uploadFuture(from: request, with: .chunks(TransferChunks(chunks)))
                future.send()
                _ = await ClientProcess.processorSeconds(idle: 1_000 * seconds)
                next.finish()
                _ = try await future.value
            case .idleConnections:
                let request = try ClientProcess.request("/text", of: server)
                for future in (0..<6).map({ _ in dispatcher.dataFuture(from: request) }) { _ = try await future.value }
                return await ClientProcess.processorSeconds(idle: 1_000 * seconds) * 1_000
            }
            return (ClientProcess.processorSeconds() - start) * 1_000
        }
    }
#endif
