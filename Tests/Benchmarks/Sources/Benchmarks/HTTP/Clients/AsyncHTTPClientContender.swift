import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import _NIOFileSystem

/// async-http-client with its defaults: up to 8 connections to a host.
struct AsyncHTTPClientContender: HTTPContender {
    static let standardName = "async-http-client"

    let name = standardName
    let role = Contender.Role.peer
    private let client = HTTPClient()

    private static let timeout = TimeAmount.seconds(60)
    private static let largestBody = 1 << 30

    func get(_ url: URL) async throws -> (status: Int, body: Data) {
        let (status, body) = try await response(to: HTTPClientRequest(url: url.absoluteString))
        return (status, Data(buffer: body))
    }

    func posts(_ url: URL) async throws -> (status: Int, posts: [Post]) {
        let (status, body) = try await response(to: HTTPClientRequest(url: url.absoluteString))
        return (status, try JSONDecoder().decode([Post].self, from: body))
    }

    func post(_ json: Data, to url: URL) async throws -> (status: Int, body: Data) {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(json)
        let (status, body) = try await response(to: request)
        return (status, Data(buffer: body))
    }

    func downloadToMemory(_ url: URL) async throws -> TransferCheck {
        let (status, body) = try await response(to: HTTPClientRequest(url: url.absoluteString))
        return { .memory(status: status, Data(buffer: body)) }
    }

    func download(_ url: URL, to file: URL) async throws -> TransferCheck {
        let request = try HTTPClient.Request(url: url.absoluteString)
        let delegate = try FileDownloadDelegate(path: file.path)
        let progress = try await client.execute(request: request, delegate: delegate).futureResult.get()
        let status = Int(progress.head.status.code)
        return { try .file(status: status, file) }
    }

    func upload(_ data: Data, to url: URL) async throws -> TransferCheck {
        try await upload(.bytes(data), to: url)
    }

    func upload(file: URL, to url: URL) async throws -> TransferCheck {
        try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(file.path)) { handle in
            let count = try await handle.info().size
            return try await upload(.stream(handle.readChunks(), length: .known(count)), to: url)
        }
    }

    func shutDown() async {
        // It only fails if the client is shut down already.
        try? await client.shutdown()
    }

    private func upload(_ body: HTTPClientRequest.Body, to url: URL) async throws -> TransferCheck {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/octet-stream")
        request.body = body
        let (status, reply) = try await response(to: request)
        return { try .sink(status: status, Data(buffer: reply)) }
    }

    private func response(to request: HTTPClientRequest) async throws -> (status: Int, body: ByteBuffer) {
        let response = try await client.execute(request, timeout: Self.timeout)
        return (Int(response.status.code), try await response.body.collect(upTo: Self.largestBody))
    }
}
