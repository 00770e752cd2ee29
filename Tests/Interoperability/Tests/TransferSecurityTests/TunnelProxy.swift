import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A proxy on 127.0.0.1 for the time of one test, by `CONNECT` (RFC 9110, section 9.3.6) and by SOCKS 5 (RFC 1928).
///
/// Whatever host is requested, it connects to 127.0.0.1, so tests can use names that no resolver knows.
final class TunnelProxy: Sendable {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let channel: NIOAsyncChannel<Connection, Never>
    private let asked = Mutex<[String]>([])

    /// Runs `work` with a proxy, which is stopped afterwards.
    static func run(_ work: @escaping @Sendable (TunnelProxy) async throws -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
        let proxy = TunnelProxy(channel)
        try await channel.executeThenClose { connections in
            try await withThrowingTaskGroup { group in
                group.addTask { await proxy.serve(connections) }
                defer { group.cancelAll() }
                try await work(proxy)
            }
        }
    }

    private init(_ channel: NIOAsyncChannel<Connection, Never>) {
        self.channel = channel
    }

    /// The port that it listens on.
    var port: Int { channel.channel.localAddress?.port ?? 0 }

    /// The requests that it got: a head of `CONNECT`, or "SOCKS host:port".
    var requests: [String] { asked.withLock { $0 } }

    private func serve(_ connections: NIOAsyncChannelInboundStream<Connection>) async {
        await withDiscardingTaskGroup { group in
            // A connection that fails doesn't affect the others, and the test sees the result of its request.
            do {
                for try await connection in connections {
                    group.addTask { try? await self.tunnel(connection) }
                }
            } catch {
                group.cancelAll()
            }
        }
    }

    private func tunnel(_ connection: Connection) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var bytes = inbound.makeAsyncIterator()
            let target = try await handshake(&bytes, outbound)
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: target.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
                }
            try await outbound.write(ByteBuffer(bytes: target.answer))
            try await server.executeThenClose { answers, requests in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for try await part in answers { try await outbound.write(part) }
                    }
                    while let part = try await bytes.next() { try await requests.write(part) }
                    group.cancelAll()
                }
            }
        }
    }

    // MARK: Handshakes

    private func handshake(
        _ bytes: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws -> (port: Int, answer: [UInt8]) {
        let first = try await Self.receive(from: &bytes) { !$0.isEmpty }
        guard first[0] == 5 else {
            let head = try await Self.receive(from: &bytes, after: first) {
                $0.suffix(4) == Array("\r\n\r\n".utf8)[...]
            }
            let text = String(decoding: head, as: UTF8.self)
            asked.withLock { $0.append(text) }
            let port = text.split(separator: " ")[1].split(separator: ":").last.flatMap { Int($0) } ?? 0
            return (port, Array("HTTP/1.1 200 Connected\r\n\r\n".utf8))
        }
        _ = try await Self.receive(from: &bytes, after: first) { $0.count >= 2 && $0.count == 2 + Int($0[1]) }
        try await outbound.write(ByteBuffer(bytes: [5, 0]))
        // A name: its length is in the fifth byte.
        let request = try await Self.receive(from: &bytes) { $0.count >= 5 && $0.count == 7 + Int($0[4]) }
        let name = String(decoding: request[5..<(request.count - 2)], as: UTF8.self)
        let port = Int(request[request.count - 2]) << 8 | Int(request[request.count - 1])
        asked.withLock { $0.append("SOCKS \(name):\(port)") }
        return (port, [5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
    }

    private static func receive(
        from bytes: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, after earlier: [UInt8] = [],
        until isEnough: ([UInt8]) -> Bool
    ) async throws -> [UInt8] {
        var received = earlier
        while !isEnough(received) {
            guard let part = try await bytes.next(isolation: #isolation) else { throw ChannelError.eof }
            received += part.readableBytesView
        }
        return received
    }
}
