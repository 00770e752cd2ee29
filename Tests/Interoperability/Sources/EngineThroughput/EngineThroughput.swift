import AsyncHTTPClient
import AsyncHTTPClientEngine
import Foundation
import LoopbackServer
import NIOCore
import NIOFoundationCompat
import NIOHTTPCompression
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures futures over async-http-client beside the bare client, with 100 requests in flight by default.
///
///     swift run --package-path Tests/Interoperability -c release EngineThroughput [rounds] [requests] [in flight] [URL]
///
/// The URL answers with 1,000 bytes, from a server in a process of its own. Without it, the server runs in this
/// process, and does most of the work.
@main
enum EngineThroughput {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let rounds = max(1, numbers.first ?? 7)
        let requests = numbers.dropFirst().first ?? 20_000
        let inFlight = max(1, numbers.dropFirst(2).first ?? 100)
        let server = try LoopbackServer.start()
        let url = CommandLine.arguments.dropFirst(4).first.flatMap { URL(string: $0) } ?? server.url("/bytes/1000")
        let request = URLRequest(url: url)
        let client = HTTPClient(configuration: .init(decompression: .enabled(limit: .none)))
        let dispatcher = URLRequestDispatcher(engine: AsyncHTTPClientEngine())
        let session = URLRequestDispatcher(engine: .urlSession(.ephemeral))
        let contenders: [(name: String, load: @Sendable () async throws -> Int)] = [
            (
                "bare async-http-client",
                {
                    let response = try await client.execute(
                        HTTPClientRequest(url: url.absoluteString), timeout: .seconds(60))
                    return Data(buffer: try await response.body.collect(upTo: 1 << 20)).count
                }
            ),
            ("futures over it", { try await dispatcher.dataFuture(from: request).value.data?.count ?? 0 }),
            ("futures over URLSession", { try await session.dataFuture(from: request).value.data?.count ?? 0 }),
        ]
        var runs = contenders.map { _ in [Run]() }
        for round in 0...rounds {
            for (index, contender) in contenders.enumerated() {
                let run = try await measure(requests, inFlight, contender.load)
                // The first round warms up.
                if round > 0 { runs[index].append(run) }
            }
        }
        try await client.shutdown()
        for (contender, own) in zip(contenders, runs) {
            // Round by round, as the machine may be busier in some rounds than in others.
            let speed = median(zip(runs[0], own).map { $0.seconds / $1.seconds })
            let processor = median(zip(runs[0], own).map { $1.processorSeconds / $0.processorSeconds })
            let rate = Int(Double(requests) / median(own.map(\.seconds)))
            print(
                "\(contender.name): \(rate) requests/s; \(rounded(speed)) of the bare client's speed,", terminator: " ")
            print("\(rounded(processor)) of its processor time (both with that of the server)")
        }
    }

    /// One contender's part of a round.
    private struct Run {
        let seconds: Double
        let processorSeconds: Double
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private static func rounded(_ value: Double) -> Double {
        (value * 100).rounded() / 100
    }

    private static func measure(
        _ requests: Int, _ inFlight: Int, _ load: @escaping @Sendable () async throws -> Int
    ) async throws -> Run {
        let processorTime = clock()
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<requests {
                    if index >= inFlight { try await group.next() }
                    group.addTask {
                        guard try await load() == 1_000 else { throw TransferError(.truncated) }
                    }
                }
                try await group.waitForAll()
            }
        }
        let processorSeconds = Double(clock() - processorTime) / Double(CLOCKS_PER_SEC)
        return Run(seconds: time / .seconds(1), processorSeconds: processorSeconds)
    }
}
