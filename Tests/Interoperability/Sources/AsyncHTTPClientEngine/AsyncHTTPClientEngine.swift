public import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
public import NIOHTTPCompression
public import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine over async-http-client.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(engine: AsyncHTTPClientEngine())
/// ```
///
/// Bodies are sent while they come, and a slow reader applies back-pressure to the server.
public final class AsyncHTTPClientEngine: AsyncTransferEngine {
    /// The exchanges under way.
    public let exchanges = RunningExchanges()
    private let client: HTTPClient

    /// Makes an engine with a client of its own.
    ///
    /// - Parameter configuration: that of the client. Redirects are the dispatcher's business, and a connection that can't
    ///   be made is an error at once.
    public init(configuration: HTTPClient.Configuration = .init(decompression: .enabled(limit: .none))) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(configuration: configuration)
    }

    deinit {
        // Closes the connections, and keeps the client until that is done. There is nobody to report an error to.
        client.shutdown { _ in }
    }

    /// Sends a request; the client is asked for each chunk of the response's body.
    public func exchange(
        _ request: TransferRequest, body: TransferChunks?
    ) async throws -> (TransferHead, some AsyncSequence<Data, any Error>) {
        guard let url = request.urlRequest.url else { throw TransferError(.unsupportedURL) }
        var message = HTTPClientRequest(url: url.absoluteString)
        message.method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        message.headers = HTTPHeaders(request.urlRequest.allHTTPHeaderFields?.map { ($0.key, $0.value) } ?? [])
        if !message.headers.contains(name: "Accept-Encoding") {
            message.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        if let body {
            message.body = .stream(
                body.map { ByteBuffer(data: $0) }, length: body.length.map { .known($0) } ?? .unknown)
        }
        let answer = try await client.execute(message, deadline: .distantFuture)
        let head = TransferHead(
            url: url, status: Int(answer.status.code), version: "\(answer.version)", fields: Array(answer.headers))
        // The client fails where the coding of a body that isn't sent is named.
        let isBare = message.method == .HEAD || [204, 304].contains(answer.status.code)
        let chunks = isBare && answer.headers.contains(name: "Content-Encoding") ? .init() : answer.body
        return (head, chunks.map { Data(buffer: $0) })
    }

    /// What the client's errors mean.
    public func kind(of error: any Error, afterHead: Bool) -> TransferError.Kind {
        TransferError.Kind(error, afterHead: afterHead)
    }
}
