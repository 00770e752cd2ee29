import Foundation

/// One client's connection, served on its own thread from its first request to its end.
struct Connection {
    private let core: ServerCore
    private let socket: Int32
    private let id: Int
    private var reader: RequestReader
    private var writer: ReplyWriter

    init(core: ServerCore, socket: Int32, id: Int) {
        self.core = core
        self.socket = socket
        self.id = id
        reader = RequestReader(socket: socket, limits: core.limits)
        writer = ReplyWriter(socket: socket)
    }

    /// Serves requests until one side ends the connection. The caller closes the socket.
    mutating func run() {
        do throws(ConnectionEnd) {
            while true { try serveNext() }
        } catch {
            switch error {
            case .gone: break
            case .reset: Socket.resetOnClose(socket)
            case .close: end(lingering: 0)
            case .rejected(let status):
                let reply = LoopbackReply.json("{\"error\":\"\(LoopbackReply.reason(of: status))\"}", status: status)
                // If the client is gone too, nobody can receive the reply.
                try? writer.write(reply, isHead: false, closes: true)
                end(lingering: 1)
            }
        }
    }

    private mutating func serveNext() throws(ConnectionEnd) {
        let head = try reader.readHead(connection: id)
        let routes = core.beginRequest()
        defer { core.endRequest() }
        var request = head.request
        let route = Self.find(&request, in: routes)
        let handling = route?.body ?? .collect
        let hasBody = head.framing != .none
        if hasBody, handling != .ignore { try readBody(of: head, handling, into: &request) }
        if handling == .digest, request.bodyDigest == nil { request.bodyDigest = LoopbackDigest().value }
        core.record(request)
        let reply = route?.handler(request) ?? LoopbackRoutes.notFound
        let unread = hasBody && handling == .ignore
        try writer.write(reply, isHead: request.method == "HEAD", closes: unread || !head.keepsAlive) { [core] event in
            core.noteSending(event, path: request.path)
        }
        if unread { end(lingering: 1) }
        if unread || !head.keepsAlive || writer.hasAnnouncedClose { throw .close }
    }

    private static func find(_ request: inout RecordedRequest, in routes: [LoopbackRoute]) -> LoopbackRoute? {
        let segments = LoopbackRoute.segments(of: request.path)
        for route in routes {
            guard let parameters = route.match(method: request.method, segments: segments) else { continue }
            request.parameters = parameters
            return route
        }
        return nil
    }

    private mutating func readBody(
        of head: RequestHead, _ handling: LoopbackRoute.BodyHandling, into request: inout RecordedRequest
    ) throws(ConnectionEnd) {
        let limit = core.limits.bodyBytes
        var body = Data()
        if handling == .collect, case .length(let length) = head.framing {
            guard length <= limit else { throw .rejected(413) }
            body.reserveCapacity(length)
        }
        if head.expectsContinue {
            try writer.write(LoopbackReply(steps: []).preceded(byInterim: 100), isHead: false, closes: false)
        }
        var digest = LoopbackDigest()
        var count = 0
        try reader.readBody(head.framing) { bytes throws(ConnectionEnd) in
            count += bytes.count
            if handling == .digest {
                digest.update(bytes)
            } else {
                guard count <= limit else { throw .rejected(413) }
                body.append(contentsOf: bytes)
            }
        }
        request.bodyLength = count
        request.body = body
        if handling == .digest { request.bodyDigest = digest.value }
    }

    private func end(lingering seconds: Double) {
        Socket.finishSending(socket)
        ClientWatch.drain(socket, seconds: seconds)
    }
}
