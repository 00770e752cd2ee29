#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("The thread of libcurl, and its parts of bodies", .timeLimit(.minutes(10)))
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

        @Test("The thread blocks the signals of the application, and not those of a crash or of a profiler")
        func signals() async throws {
            _ = await events("/text")
            var masks: [UInt64] = []
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                // Threads of other tests end meanwhile.
                let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
                let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
                guard name == "PiuPiu.curl\n", let status else { continue }
                let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
                if let digits = line?.split(separator: "\t").last, let mask = UInt64(digits, radix: 16) {
                    masks.append(mask)
                }
            }
            #expect(!masks.isEmpty)
            func isBlocked(_ signal: Int32, in mask: UInt64) -> Bool { mask >> UInt64(signal - 1) & 1 == 1 }
            for mask in masks {
                for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
                    #expect(!isBlocked(own, in: mask), "signal \(own)")
                }
                for other in [SIGPIPE, SIGTERM, SIGINT, SIGUSR1] {
                    #expect(isBlocked(other, in: mask), "signal \(other)")
                }
            }
        }
    }
#endif
