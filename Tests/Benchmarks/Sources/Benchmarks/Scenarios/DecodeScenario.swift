import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A large body of JSON, decoded by `decoded` of a future beside the bare decoder.
enum DecodeScenario {
    static let scenario = TimedScenario(
        name: "decode-10-mb", title: "decode 100,000 elements from 10 MB of JSON",
        expected: elementCount, peer: decoderName, targets: [.atMost(1.05, timesContender: decoderName)],
        note: "`decoded` runs off the main actor; so do the others here.",
        contenders: [
            Contender("PiuPiu, `decoded` of a future", .piuPiu, decodedFuture),
            Contender("PiuPiu, `decode` of a response", .yardstick, decodedResponse),
            Contender(decoderName, .yardstick, bareDecoder),
        ])

    private struct Element: Codable, Sendable {
        let id: Int
        let author: Int
        let title: String
        let isRead: Bool
    }

    private static let decoderName = "`JSONDecoder`"
    private static let elementCount = 100_000

    /// What all decode: some 100 bytes for each element.
    private static let response = Result {
        let elements = (0..<elementCount).map { index in
            Element(
                id: 1_000_000 + index, author: index % 100, title: String(repeating: "A title ", count: 6), isRead: true
            )
        }
        return try Response.makeMockJSONResponse(
            with: URLRequest(url: URL(filePath: "/posts")), encodable: elements, statusCode: .ok)
    }

    @inline(never) @concurrent
    private static func decodedFuture(_ count: Int) async throws -> Int {
        let response = try response.get()
        var sum = 0
        for _ in 0..<count {
            sum &+= try await ResponseFuture(result: response).decoded([Element].self).value.data.count
        }
        return sum
    }

    @inline(never) @concurrent
    private static func decodedResponse(_ count: Int) async throws -> Int {
        let response = try response.get()
        var sum = 0
        for _ in 0..<count { sum &+= try response.decode([Element].self).count }
        return sum
    }

    @inline(never) @concurrent
    private static func bareDecoder(_ count: Int) async throws -> Int {
        let data = try response.get().unwrapData()
        var sum = 0
        for _ in 0..<count { sum &+= try JSONDecoder().decode([Element].self, from: data).count }
        return sum
    }
}
