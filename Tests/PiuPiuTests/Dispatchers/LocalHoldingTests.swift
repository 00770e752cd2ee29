import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Local resources that are held up", .timeLimit(.minutes(10)))
struct LocalHoldingTests {
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("large")
        try Data(count: 2_000_000).write(to: file)
    }

    private func bodies() async throws -> [StreamedBody] {
        var bodies: [StreamedBody] = []
        for _ in 0..<6 {
            let body = try await dispatcher.streamFuture(from: URLRequest(url: file)).value.data
            bodies.append(body)
        }
        return bodies
    }

    @Test("NEVER-HANG: neither unread nor released streams hold up other resources")
    func unreadStreams() async throws {
        for round in 0..<2 {
            let bodies = try await bodies()
            let response = try await dispatcher.dataFuture(from: URLRequest(url: url("data:,x"))).value
            #expect(response.data.text == "x")
            guard round == 1 else { continue }
            for body in bodies {
                var count = 0
                for try await chunk in body { count += chunk.count }
                #expect(count == 2_000_000)
            }
        }
    }
}
