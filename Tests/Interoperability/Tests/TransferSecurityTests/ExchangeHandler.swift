import Foundation
import LoopbackServer
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// Answers the requests of one connection, or of one stream of HTTP/2.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let journal: ServerJournal
    private var head: HTTPRequestHead?
    private var digest = LoopbackDigest()
    private var count = 0

    init(_ journal: ServerJournal) {
        self.journal = journal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            journal.add(head.uri)
            self.head = head
            digest = LoopbackDigest()
            count = 0
            if head.uri.hasPrefix("/slow") { stopReading(for: .seconds(1), in: context) }
            if head.uri.hasPrefix("/early") { answerEarly(head, in: context) }
            if head.uri.hasPrefix("/again"), journal.connections == 1 { refuse(head, in: context) }
        case .body(let buffer):
            buffer.withUnsafeReadableBytes { digest.update($0) }
            count += buffer.readableBytes
        case .end:
            if let head { answer(head, in: context) }
        }
    }

    private func answer(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
        let parts = head.uri.split(separator: "/", maxSplits: 1)
        let argument = parts.count > 1 ? String(parts[1]) : ""
        switch parts.first {
        case "bytes": send(Array(LoopbackPattern.data(count: Int(argument) ?? 0)), in: context)
        case "sink", "slow", "again":
            send(Array("\(count) \(LoopbackDigest.hexadecimal(digest.value))".utf8), in: context)
        case "redirect":
            let target = String(decoding: Data(base64Encoded: argument) ?? Data(), as: UTF8.self)
            send([], status: .temporaryRedirect, headers: ["Location": target], in: context)
        // Held until its connection is over.
        case "held": if journal.connections > 1 { send(Array("late".utf8), in: context) }
        case "reset": context.close(promise: nil)
        case "close": context.channel.parent?.close(promise: nil)
        case "break": context.channel.parent.map(Self.reset)
        case "goaway":
            goAway(context)
            send(Array("goodbye".utf8), in: context)
        default: send(Array("\(head.version) \(context.channel.remoteAddress?.port ?? 0)".utf8), in: context)
        }
    }

    private func send(
        _ body: [UInt8], status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], in context: ChannelHandlerContext
    ) {
        var headers = headers
        headers.add(name: "Content-Length", value: "\(body.count)")
        write(body, status: status, headers: headers, in: context)
    }

    private func write(
        _ body: [UInt8], status: HTTPResponseStatus = .ok, headers: HTTPHeaders, in context: ChannelHandlerContext
    ) {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// The text "ok", as gzip.
    private static let coded: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 207, 6, 0, 71, 221, 220, 121, 2, 0, 0, 0,
    ]

    /// Answers with "ok" before the body has come, takes no more of that, and resets the stream, as a server does that
    /// doesn't want it (RFC 9113, section 8.1). A little later: libcurl 7.88 loses what comes together with a reset.
    private func answerEarly(_ request: HTTPRequestHead, in context: ChannelHandlerContext) {
        head = nil
        let channel = context.channel
        _ = channel.setOption(.autoRead, value: false)
        if request.uri.hasSuffix("/coded") {
            write(Self.coded, headers: ["Content-Encoding": "gzip"], in: context)
        } else {
            send(Array("ok".utf8), in: context)
        }
        channel.eventLoop.scheduleTask(in: .milliseconds(100)) {
            channel.getOption(HTTP2StreamChannelOptions.streamID).whenSuccess { stream in
                let reset = HTTP2Frame(streamID: stream, payload: .rstStream(.noError))
                channel.parent?.writeAndFlush(reset, promise: nil)
            }
        }
    }

    /// Takes nothing of the body for a while, so that the window of a stream is soon exhausted.
    private func stopReading(for time: TimeAmount, in context: ChannelHandlerContext) {
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: time) {
                channel.setOption(.autoRead, value: true).whenComplete { _ in channel.read() }
            }
        }
    }

    /// Refuses a request, once the client has had the time to send its body: its stream, or else its connection.
    private func refuse(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: .seconds(1)) {
                if head.version.major == 2 { Self.refuseStream(channel) } else { Self.reset(channel) }
            }
        }
    }

    private static func refuseStream(_ channel: any Channel) {
        channel.getOption(HTTP2StreamChannelOptions.streamID).whenSuccess { stream in
            let frame = HTTP2Frame(streamID: stream, payload: .rstStream(.refusedStream))
            channel.parent?.writeAndFlush(frame, promise: nil)
        }
    }

    private static func reset(_ channel: any Channel) {
        guard let options = channel as? any SocketOptionProvider else { return }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenSuccess {
            // Past TLS, which would say goodbye.
            try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
        }
    }

    /// Lets the connection of a stream take no other streams.
    private func goAway(_ context: ChannelHandlerContext) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
        context.channel.parent?.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: payload), promise: nil)
    }
}
