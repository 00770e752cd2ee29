import Dispatch
import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// In a process of its own, so that its resources can be counted.
@Suite("A storm of requests", .timeLimit(.oneProcessAtATime))
struct RequestStormTests {
    #if os(Linux)
        @Test(
            "10,000 requests, 100 at a time, a third cancelled: no crash, no hang, no leak, each settles once",
            .oneProcessAtATime)
        func storm() async throws {
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) { [log = log as ProcessLog] in
                try InheritedSockets.close()
                try await RequestStormTests.storm(seed: .random(in: 0 ... .max), log)
            }
            let text = try log.text()
            print(text)
            #expect(text.contains("All as it should be"), "\(text)")
        }

        private static func storm(seed: UInt64, _ log: ProcessLog) async throws {
            try log("Seed of the storm: \(seed)")
            let before = try ProcessFigures.now()
            let server = try LoopbackServer.start()
            let storm = RequestStorm(server: server, seed: seed)
            let (report, warm, after) = try await run(storm)
            // The last copy of the dispatcher is released, and so are its session and all connections (VALUE).
            try await server.waitForClosedConnections()
            server.stop()
            let survivors = await storm.unreleasedFutures()
            let end = try await figures { now in
                now.descriptors <= before.descriptors + 16 && now.threads <= warm.threads + 16
            }
            try log("\(report.values) values, \(report.cancellations) cancelled, \(survivors) not gone")
            try log("before: \(before)\nwarm:   \(warm)\nafter:  \(after)\nend:    \(end)")
            for line in report.wrong.prefix(20) { try log("WRONG: \(line)") }
            // The thread sanitizer keeps a history of its own for all memory that was ever touched.
            let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
            let memoryAllowance = (isSanitized ? 128 : 12) * 1024
            let isRight =
                report.wrong.isEmpty && survivors == 0 && report.values + report.cancellations == 10_000
                && report.cancellations > 1000 && end.descriptors <= before.descriptors + 16
                && end.threads <= warm.threads + 16
                && end.residentKilobytes <= warm.residentKilobytes + memoryAllowance
            if isRight { try log("All as it should be") }
        }

        /// The figures of the process, as soon as they are right: threads, with descriptors of theirs, end some time
        /// after their last work.
        private static func figures(asSoonAs isRight: (ProcessFigures) -> Bool) async throws -> ProcessFigures {
            for _ in 0..<20 {
                let figures = try ProcessFigures.now()
                if isRight(figures) { return figures }
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { continuation.resume() }
                }
            }
            return try ProcessFigures.now()
        }

        private static func run(
            _ storm: RequestStorm
        ) async throws -> (RequestStorm.Report, warm: ProcessFigures, after: ProcessFigures) {
            let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
            // The first part warms up: pools, caches and the threads of the runtime stay.
            var report = await storm.run(workers: 100, count: 30, over: dispatcher)
            let warm = try ProcessFigures.now()
            let rest = await storm.run(workers: 100, count: 70, over: dispatcher)
            report.values += rest.values
            report.cancellations += rest.cancellations
            report.wrong += rest.wrong
            return (report, warm, try ProcessFigures.now())
        }
    #endif
}
