import AsyncHTTPClientEngine
import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The engines that a dispatcher can have.
enum EngineKind: CaseIterable, Sendable {
    case standard, asyncHTTPClient
    #if os(Linux)
        case unixSocket
    #endif

    /// Runs a test with a server and a dispatcher.
    func run(_ work: @escaping @Sendable (URL, URLRequestDispatcher) async throws -> Void) async throws {
        switch self {
        case .standard:
            try await HummingbirdServer.run { try await work($0, URLRequestDispatcher(configuration: .ephemeral)) }
        case .asyncHTTPClient:
            let engine = AsyncHTTPClientEngine()
            try await HummingbirdServer.run { try await work($0, URLRequestDispatcher(engine: engine)) }
        #if os(Linux)
            case .unixSocket:
                let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).socket").path
                defer { try? FileManager.default.removeItem(atPath: path) }
                let engine = try #require(CurlEngine(configuration: .ephemeral, unixSocketPath: path))
                try await HummingbirdServer.run(unixSocketPath: path) {
                    try await work($0, URLRequestDispatcher(engine: engine))
                }
        #endif
        }
    }
}

@Suite("Hummingbird: real requests", .timeLimit(.minutes(10)))
struct HummingbirdTests {
    /// Over a Unix socket they aren't.
    @Test("Connections are reused", arguments: [EngineKind.standard, .asyncHTTPClient])
    func keepAlive(engine: EngineKind) async throws {
        try await engine.run { server, dispatcher in
            var connections: Set<String> = []
            for _ in 0..<50 {
                let response = try await dispatcher.load(server.appending(path: "connection"))
                connections.insert(response.text)
            }
            #expect(connections.count == 1)
        }
    }

    @Test("Chunked and empty bodies arrive", arguments: EngineKind.allCases)
    func chunked(engine: EngineKind) async throws {
        try await engine.run { server, dispatcher in
            for count in [0, 1, 1_000] {
                let response = try await dispatcher.load(server.appending(path: "chunked/\(count)"))
                #expect(response.text == (0..<count).map { "part \($0)\n" }.joined())
                #expect(response.header("Transfer-Encoding")?.lowercased() == "chunked")
            }
        }
    }

    @Test("A compressed body is decoded", arguments: EngineKind.allCases)
    func gzip(engine: EngineKind) async throws {
        try await engine.run { server, dispatcher in
            let response = try await dispatcher.load(server.appending(path: "gzip"))
            #expect(response.data == CompressedText.text)
        }
    }

    @Test("Redirects are followed", arguments: EngineKind.allCases)
    func redirects(engine: EngineKind) async throws {
        try await engine.run { server, dispatcher in
            let response = try await dispatcher.load(server.appending(path: "redirect/10"))
            #expect(response.text == "GET landed")
            #expect(response.urlRequest.url == server.appending(path: "landing"))
        }
    }

    @Test("A 307 keeps the body", arguments: EngineKind.allCases)
    func bodyAgain(engine: EngineKind) async throws {
        try await engine.run { server, dispatcher in
            let url = server.appending(path: "redirect/3").appending(queryItems: [
                URLQueryItem(name: "keep", value: nil)
            ])
            let request = URLRequest(url: url, method: .post)
            let response = try await dispatcher.uploadFuture(from: request, with: Data(count: 1_000)).value
            #expect(response.text == "POST landed with 1000")
        }
    }

    @Test("MEMORY: 64 MB arrive whole from a file, from memory and in chunks", arguments: EngineKind.allCases)
    func largeUpload(engine: EngineKind) async throws {
        let count = 64 << 20
        let data = LoopbackPattern.data(count: count)
        let digest = LoopbackDigest.hexadecimal(LoopbackPattern.digest(count: count))
        let file = FileManager.default.temporaryDirectory.appending(path: "HummingbirdTests-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await engine.run { server, dispatcher in
            let parts = AsyncStream { stream in
                var rest = data
                while !rest.isEmpty {
                    stream.yield(rest.prefix(300_000))
                    rest = rest.dropFirst(300_000)
                }
                stream.finish()
            }
            let request = URLRequest(url: server.appending(path: "sink"), method: .post)
            for body in [TransferBody.file(file), .data(data), .chunks(TransferChunks(parts))] {
                let response = try await dispatcher.uploadFuture(from: request, with: body).value
                #expect(response.text == "\(count) \(digest)")
            }
        }
    }

    @Test("100 requests side by side", arguments: EngineKind.allCases)
    func parallel(engine: EngineKind) async throws {
        try await engine.run { server, dispatcher in
            try await withThrowingTaskGroup { group in
                for index in 0..<100 {
                    group.addTask {
                        let response = try await dispatcher.load(server.appending(path: "bytes/\(10_000 + index)"))
                        #expect(response.data == LoopbackPattern.data(count: 10_000 + index))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A stream of a large body is whole", arguments: EngineKind.allCases)
    func stream(engine: EngineKind) async throws {
        try await engine.run { server, dispatcher in
            let request = URLRequest(url: server.appending(path: "bytes/8000000"))
            let response = try await dispatcher.streamFuture(from: request).value
            var digest = LoopbackDigest()
            for try await chunk in response.data { chunk.withUnsafeBytes { digest.update($0) } }
            #expect(digest.value == LoopbackPattern.digest(count: 8_000_000))
        }
    }
}

extension URLRequestDispatcher {
    fileprivate func load(_ url: URL) async throws -> Response<Data?> {
        try await dataFuture(from: URLRequest(url: url)).value
    }
}

extension Response<Data?> {
    fileprivate var text: String { String(decoding: data ?? Data(), as: UTF8.self) }

    fileprivate func header(_ name: String) -> String? {
        (urlResponse as? HTTPURLResponse)?.value(forHTTPHeaderField: name)
    }
}
