#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Glibc
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    private func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    private let seconds = number("PIUPIU_TRAFFIC_SECONDS") ?? 3

    /// Environment: `PIUPIU_TRAFFIC_SECONDS` says how long it runs; `PIUPIU_SEED` gives its seed; `MALLOC_ARENA_MAX=1`
    /// keeps the threads from having heaps of their own.
    @Suite("Mixed traffic with faults", .timeLimit(.minutes(40 + seconds / 30)))
    struct MixedTrafficTests {
        @Test(
            "Every exchange ends as it must, and leaves no descriptor, thread, memory or processor load behind",
            .oneProcessAtATime)
        func traffic() async throws {
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) { [log = log as ProcessLog] in
                try InheritedSockets.close()
                // As long as other exit tests have, after the traffic.
                alarm(UInt32(clamping: seconds + 540))
                let seed = number("PIUPIU_SEED").map { UInt64($0) } ?? .random(in: 0 ... .max / 2)
                try log("Mixed traffic from PIUPIU_SEED=\(seed), \(seconds) s")
                let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
                let pacer = URLRequestDispatcher(configuration: .ephemeral)
                let warmUp = try await Self.run(server, seed: seed, seconds: max(1, seconds / 10))
                _ = try await pacer.dataFuture(from: server.request("/delay/1000")).value
                let before = try ProcessFigures.now()
                let report = try await Self.run(server, seed: seed &+ 1_000, seconds: seconds)
                let after = try await Self.figures(pacer, server) { now in
                    now.descriptors <= before.descriptors && now.threads <= before.threads
                }
                let kinds = try ProcessFigures.kinds()
                // The sanitizers have heaps of their own, keep a history, and their own work takes time.
                let isSanitized = ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains {
                    ProcessInfo.processInfo.environment[$0] != nil
                }
                let longest = isSanitized ? 0.1 : 0.01
                let idle = try await Self.idleSeconds(server, atMost: longest)
                try log(
                    "\(report.count) exchanges: \(report.answers) answers, \(report.failures) failures, "
                        + "\(report.cancellations) cancelled\nbefore: \(before)\nafter:  \(after)\n"
                        + "\(kinds)\n"
                        + "processor's time in half a second of rest: \(idle * 1_000) ms")
                for line in (warmUp.wrong + report.wrong).prefix(20) { try log("WRONG: \(line)") }
                try #require(warmUp.wrong.isEmpty && report.wrong.isEmpty)
                try #require(report.answers > 0 && report.failures > 0 && report.cancellations > 0)
                // libdispatch keeps a few of its own, and makes them as late as possible.
                try #require(after.descriptors <= before.descriptors + 4)
                try #require(after.threads <= before.threads + 16)
                // The heap keeps its largest size, which is a matter of chance: what counts is how much of it is
                // allocated.
                try #require(after.allocatedKilobytes <= before.allocatedKilobytes + 8 * 1_024)
                try #require(
                    after.residentKilobytes <= before.residentKilobytes + (isSanitized ? 512 : 128) * 1_024)
                try #require(idle <= longest)
            }
            try print(log.text())
        }

        /// Traffic whose engines and connections are gone at the end.
        private static func run(
            _ server: LoopbackServer, seed: UInt64, seconds: Int
        ) async throws -> MixedTraffic.Report {
            let report = try await MixedTraffic(server: server, seed: seed)
                .run(workers: 40, until: .now + .seconds(seconds))
            // All but the pacer's.
            try await server.waitForClosedConnections(downTo: 1)
            server.forgetRequests()
            return report
        }

        /// The figures of the process, as soon as they are right. Threads of engines, with two descriptors each, and of
        /// the runtime end some time after their last work.
        private static func figures(
            _ pacer: URLRequestDispatcher, _ server: LoopbackServer, asSoonAs isRight: (ProcessFigures) -> Bool
        ) async throws -> ProcessFigures {
            for _ in 0..<20 {
                let figures = try ProcessFigures.now()
                if isRight(figures) { return figures }
                _ = try await pacer.dataFuture(from: server.request("/delay/500")).value
            }
            return try ProcessFigures.now()
        }

        /// The processor's time of half a second with open connections and no other work: the least of up to three, as
        /// the runtime may still tidy up.
        private static func idleSeconds(_ server: LoopbackServer, atMost limit: Double) async throws -> Double {
            let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
            let futures = (0..<6).map { _ in dispatcher.dataFuture(from: server.request("/delay/10")) }
            for future in futures { future.send() }
            for future in futures { _ = try await future.value }
            defer { dispatcher.invalidateAndCancel() }
            return await ClientProcess.leastProcessorSeconds(idle: 500, atMost: limit)
        }
    }
#endif
