import Foundation
import HTTPTypes
import Hummingbird
import Logging
import LoopbackServer
import NIOCore

/// A Hummingbird server on 127.0.0.1, for the time of one test.
enum HummingbirdServer {
    /// Identifies the connection by the port at its other end.
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let remotePort: Int

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            remotePort = source.channel.remoteAddress?.port ?? 0
        }

        /// As large as the largest upload.
        var maxUploadSize: Int { 1 << 30 }
    }

    /// Runs `work` with the base URL of a server, which is stopped afterwards.
    ///
    /// - Parameter unixSocketPath: where it listens, instead of a port.
    static func run(
        unixSocketPath: String? = nil, _ work: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        let (ports, running) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "Hummingbird")
        logger.logLevel = .error
        let address: BindAddress =
            unixSocketPath.map { .unixDomainSocket(path: $0) } ?? .hostname("127.0.0.1", port: 0)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: address),
            onServerRunning: { running.yield($0.localAddress?.port ?? 0) }, logger: logger)
        try await withThrowingTaskGroup { group in
            group.addTask { try await application.run() }
            group.addTask {
                for await port in ports {
                    let authority = unixSocketPath == nil ? "127.0.0.1:\(port)" : "a.socket"
                    guard let url = URL(string: "http://\(authority)") else { break }
                    return try await work(url)
                }
            }
            defer { group.cancelAll() }
            // The server runs until it is cancelled, unless it can't start.
            try await group.next()
        }
    }

    private static var router: Router<Context> {
        let router = Router(context: Context.self)
        router.get("connection") { _, context in "\(context.remotePort)" }
        router.get("bytes/:count") { _, context in
            let count = try context.parameters.require("count", as: Int.self)
            return ByteBuffer(bytes: LoopbackPattern.data(count: count))
        }
        router.get("chunked/:count") { _, context in
            let count = try context.parameters.require("count", as: Int.self)
            let body = ResponseBody { writer in
                for part in 0..<count { try await writer.write(ByteBuffer(string: "part \(part)\n")) }
                try await writer.finish(nil)
            }
            return Response(status: .ok, body: body)
        }
        router.get("gzip") { _, _ in
            let headers: HTTPFields = [.contentType: "text/plain", .contentEncoding: "gzip"]
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: CompressedText.gzip)))
        }
        router.post("sink") { request, _ in
            var digest = LoopbackDigest()
            var count = 0
            for try await buffer in request.body {
                buffer.withUnsafeReadableBytes { digest.update($0) }
                count += buffer.readableBytes
            }
            return "\(count) \(LoopbackDigest.hexadecimal(digest.value))"
        }
        router.get("redirect/:rest", use: redirect)
        router.post("redirect/:rest", use: redirect)
        router.get("landing") { request, _ in "\(request.method) landed" }
        router.post("landing") { request, _ in
            "\(request.method) landed with \(try await request.body.collect(upTo: 1 << 20).readableBytes)"
        }
        return router
    }

    @Sendable private static func redirect(_ request: Request, _ context: Context) throws -> Response {
        let rest = try context.parameters.require("rest", as: Int.self)
        let target = rest > 0 ? "/redirect/\(rest - 1)" : "/landing"
        let query = request.uri.query.map { "?\($0)" } ?? ""
        let status: HTTPResponse.Status = request.uri.query == "keep" ? .temporaryRedirect : .found
        return Response(status: status, headers: [.location: target + query])
    }
}
