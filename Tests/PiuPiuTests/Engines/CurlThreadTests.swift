#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("The thread of libcurl, and its parts of bodies", .timeLimit(.oneProcessAtATime))
    struct CurlThreadTests {
        private let server: LoopbackServer
        private let engine: CurlEngine

        init() throws {
            server = try LoopbackServer.start()
            engine = try #require(CurlEngine(configuration: .ephemeral))
        }

        private func events(_ path: String) async -> [TransferEvent] {
            let log = Log<TransferEvent>()
            let request = TransferRequest(server.request(path), expectsLargeResponse: true)
            _ = engine.start(request) { log.append($0) }
            return await log.untilTheEnd()
        }

        @Test("MEMORY: the small parts of large responses take little more memory than their bytes", .oneProcessAtATime)
        func smallParts() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                let tests = try CurlThreadTests()
                tests.server.handle("GET", "/small", reply: .response(body: Data(count: 1_000)))
                var held: [TransferEvent] = []
                func load(_ count: Int) async {
                    for _ in 0..<count { held += await tests.events("/small") }
                }
                await load(100)
                let before = try ProcessFigures.now().allocatedKilobytes
                await load(500)
                let growth = try ProcessFigures.now().allocatedKilobytes - before
                try #require(growth < 16 << 10, "\(growth) KiB")
                let parts = held.filter { if case .body = $0 { true } else { false } }
                try #require(parts.count >= 600)
            }
        }

        @Test("The thread ends if the last event of its engine releases that")
        func releasedByItsLastEvent() async throws {
            let events = Log<TransferEvent>(), hasStarted = DispatchSemaphore(value: 0)
            let held = Locked(CurlEngine(configuration: .ephemeral))
            func start(_ request: TransferRequest, _ onEvent: @escaping @Sendable (TransferEvent) -> Void) {
                _ = held.withLock { $0 }?.start(request, onEvent: onEvent)
            }
            start(TransferRequest(server.request("/text"))) { events.append($0) }
            #expect(await events.untilTheEnd().last?.isTerminal == true)
            // It fails where the thread performs its commands: there is no such file.
            let missing = TransferBody.file(FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
            start(TransferRequest(server.request("/text"), body: missing)) { _ in
                hasStarted.wait()
                held.release { $0.take() }
            }
            hasStarted.signal()
            // With the thread ends the connection that it has kept.
            try await server.waitForClosedConnections()
            #expect(held.withLock { $0 } == nil)
        }

        /// An engine that finds no thread unless there are some.
        private func makeEngine(hasThreads: Locked<Bool>) throws -> CurlEngine {
            let engine = CurlEngine(configuration: .ephemeral) { body in
                hasThreads.withLock { $0 } && CurlThread.start(body)
            }
            return try #require(engine)
        }

        @Test("An engine that was invalidated without a thread stays invalid when there is one")
        func invalidatedWithoutThread() async throws {
            let hasThreads = Locked(false), engine = try makeEngine(hasThreads: hasThreads)
            engine.finishTasksAndInvalidate()
            #expect(await engine.failureKind(of: server.request("/text")) == .sessionInvalidated)
            hasThreads.withLock { $0 = true }
            #expect(await engine.failureKind(of: server.request("/text")) == .sessionInvalidated)
        }

        @Test("NEVER-HANG: without a thread requests fail, and the next one tries to start it again")
        func withoutThread() async throws {
            let hasThreads = Locked(false), engine = try makeEngine(hasThreads: hasThreads)
            for _ in 0..<2 { #expect(await engine.failureKind(of: server.request("/text")) == .cannotConnect) }
            hasThreads.withLock { $0 = true }
            #expect(await engine.failureKind(of: server.request("/text")) == nil)
        }

        // In a process of its own: a thread that creates another one blocks more signals for a moment, as the engines of
        // other tests do for their look-ups.
        @Test(
            "The thread blocks the signals of the application, and not those of a crash or of a profiler",
            .oneProcessAtATime)
        func signals() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                let tests = try CurlThreadTests()
                // The thread runs as long as its engine.
                defer { withExtendedLifetime(tests) {} }
                _ = await tests.events("/text")
                var masks: [UInt64] = []
                for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                    // Threads of the pool may end meanwhile.
                    let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
                    guard name == "PiuPiu.curl\n" else { continue }
                    let status = try String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
                    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
                    masks.append(try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16)))
                }
                try #require(masks.count == 1)
                func isBlocked(_ signal: Int32) -> Bool { masks[0] >> UInt64(signal - 1) & 1 == 1 }
                for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
                    try #require(!isBlocked(own), "signal \(own)")
                }
                for other in [SIGPIPE, SIGTERM, SIGINT, SIGUSR1] {
                    try #require(isBlocked(other), "signal \(other)")
                }
            }
        }
    }

    extension CurlEngine {
        /// How an exchange of this request fails; `nil` for a success.
        fileprivate func failureKind(of request: URLRequest) async -> TransferError.Kind? {
            let events = Log<TransferEvent>()
            _ = start(TransferRequest(request)) { events.append($0) }
            guard case .failed(let error) = await events.untilTheEnd().last else { return nil }
            return (error as? TransferError)?.kind
        }
    }
#endif
