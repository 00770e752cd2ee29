import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A server on 127.0.0.1, or on ::1, for the time of one test: HTTP/1.1, and HTTP/2 where both sides agree on it.
final class TLSServer: Sendable {
    /// What it requires of its clients.
    struct Options: Sendable {
        var protocols = ["http/1.1"]
        var newestVersion = TLSVersion.tlsv13
        /// The authority whose clients are accepted; `nil` for all.
        var clients: LocalAuthority?
        /// The address that it listens on.
        var address = "127.0.0.1"
        /// Whether the first connection takes nothing of a request's body, or hardly anything.
        var takesNoBodyAtFirst = false
    }

    private let channel: any Channel
    private let journal: ServerJournal

    /// Runs `work` with a server, which is stopped afterwards; without an identity it speaks plain HTTP.
    static func run(
        _ identity: LocalAuthority.Identity?, _ options: Options = Options(),
        _ work: (TLSServer) async throws -> Void
    ) async throws {
        let context = try identity.map { try NIOSSLContext(configuration: Self.configuration($0, options)) }
        let journal = ServerJournal()
        var bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        if options.takesNoBodyAtFirst {
            // The sockets of both sides then take less than libcurl writes at once.
            bootstrap =
                bootstrap.serverChannelOption(.socketOption(.so_rcvbuf), value: 4096)
                .serverChannelOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_MAXSEG)), value: 536)
        }
        let channel =
            try await bootstrap
            .childChannelInitializer { channel in
                let number = journal.countConnection()
                @Sendable func addExchange(_ channel: any Channel) -> EventLoopFuture<Void> {
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ExchangeHandler(journal))
                    }
                }
                guard let context else {
                    return channel.pipeline.configureHTTPServerPipeline().flatMap { addExchange(channel) }
                }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }.flatMap {
                    guard options.takesNoBodyAtFirst, number == 1 else {
                        return channel.configureCommonHTTPServerPipeline { addExchange($0) }
                    }
                    var connection = NIOHTTP2Handler.ConnectionConfiguration()
                    var stream = NIOHTTP2Handler.StreamConfiguration()
                    connection.initialSettings = [HTTP2Setting(parameter: .initialWindowSize, value: 0)]
                    // Otherwise each window would be opened at once.
                    stream.targetWindowSize = 0
                    return channel.configureCommonHTTPServerPipeline(
                        connectionConfiguration: connection, streamConfiguration: stream
                    ) { addExchange($0) }
                }
            }
            .bind(host: options.address, port: 0).get()
        let server = TLSServer(channel, journal)
        do {
            try await work(server)
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    private init(_ channel: any Channel, _ journal: ServerJournal) {
        self.channel = channel
        self.journal = journal
    }

    private static func configuration(
        _ identity: LocalAuthority.Identity, _ options: Options
    ) throws -> TLSConfiguration {
        let certificate = try NIOSSLCertificate(bytes: Array(identity.certificatePEM.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))

        configuration.maximumTLSVersion = options.newestVersion
        configuration.applicationProtocols = options.protocols
        if let clients = options.clients {
            let root = try NIOSSLCertificate(bytes: Array(clients.root.certificatePEM.utf8), format: .pem)
            configuration.trustRoots = .certificates([root])
            configuration.certificateVerification = .noHostnameVerification
        }
        return configuration
    }

    /// The number of connections.
    var connections: Int { journal.connections }

    /// The requested paths.
    var paths: [String] { journal.paths }

    /// The URL of a path.
    func url(_ path: String = "/connection", scheme: String = "https", host: String = "127.0.0.1") throws -> URL {
        let port = channel.localAddress?.port ?? 0
        guard let url = URL(string: "\(scheme)://\(host):\(port)\(path)") else { throw URLError(.badURL) }
        return url
    }
}

/// What happened on a server.
final class ServerJournal: Sendable {
    private let entries = Mutex((connections: 0, paths: [String]()))

    /// Returns the number of the connection, from 1 on.
    func countConnection() -> Int {
        entries.withLock {
            $0.connections += 1
            return $0.connections
        }
    }

    func add(_ path: String) {
        entries.withLock { $0.paths.append(path) }
    }

    var connections: Int { entries.withLock { $0.connections } }

    var paths: [String] { entries.withLock { $0.paths } }
}
