import AsyncHTTPClient
import AsyncHTTPClientEngine
import Foundation
import LoopbackServer
import NIOCore
import NIOHTTPCompression
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures futures over async-http-client beside the bare client: requests per second with 100 in flight.
///
///     swift run --package-path Tests/Interoperability -c release EngineThroughput [rounds] [requests]
@main
enum EngineThroughput {
    private static let inFlight = 100

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let rounds = numbers.first ?? 7
        let requests = numbers.dropFirst().first ?? 20_000
        let server = try LoopbackServer.start()
        let url = server.url("/bytes/1000")
        let request = URLRequest(url: url)
        let client = HTTPClient(configuration: .init(decompression: .enabled(limit: .none)))
        let dispatcher = URLRequestDispatcher(engine: AsyncHTTPClientEngine())
        let session = URLRequestDispatcher(configuration: .ephemeral)
        let contenders: [(name: String, load: @Sendable () async throws -> Int)] = [
            (
                "bare async-http-client",
                {
                    let response = try await client.execute(
                        HTTPClientRequest(url: url.absoluteString), timeout: .seconds(60))
                    return try await response.body.collect(upTo: 1 << 20).readableBytes
                }
            ),
            ("futures over it", { try await dispatcher.dataFuture(from: request).value.data?.count ?? 0 }),
            ("futures over URLSession", { try await session.dataFuture(from: request).value.data?.count ?? 0 }),
        ]
        var times = contenders.map { _ in [Duration]() }
        for round in 0...rounds {
            for (index, contender) in contenders.enumerated() {
                let time = try await measure(requests, contender.load)
                // The first round warms up.
                if round > 0 { times[index].append(time) }
            }
        }
        try await client.shutdown()
        let medians = times.map { $0.sorted()[$0.count / 2] / .seconds(1) }
        for (contender, median) in zip(contenders, medians) {
            let rate = Int(Double(requests) / median)
            let ratio = medians[0] / median
            print("\(contender.name): \(rate) requests/s, \((ratio * 100).rounded() / 100) of the bare client")
        }
    }

    private static func measure(_ requests: Int, _ load: @escaping @Sendable () async throws -> Int) async throws
        -> Duration
    {
        try await ContinuousClock().measure {
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
    }
}
