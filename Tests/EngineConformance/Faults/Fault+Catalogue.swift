import Foundation
import LoopbackServer
import PiuPiu

extension Fault {
    /// All faults that a transfer has to survive.
    static let catalogue: [Fault] = connectionFaults + framingFaults + oddities + redirections

    private static let connectionFaults: [Fault] = [
        Fault("refused", .failure([.cannotConnect])) { try $0.refusingURL() },
        Fault("unresolvable", .failure([.hostNotFound])) { _ in
            try require(URL(string: "http://nonexistent.invalid/"), "the URL")
        },
        Fault("reset before the head", .failure([.connectionLost]), reply: .reset),
        Fault("reset in mid-body", .failure([.connectionLost]), reply: .resetMidBody()),
        Fault("silent close", .failure([.connectionLost, .badResponse]), reply: .close),
        Fault("stall before the head", .failure([.timedOut]), timeout: 1, reply: .stall),
        Fault("stall after the head", .failure([.timedOut]), timeout: 1, reply: .stallAfterHead()),
        Fault("stall in mid-body", .failure([.timedOut]), timeout: 1, reply: .stallMidBody()),
    ]

    private static let framingFaults: [Fault] = [
        Fault("truncated length", .failure([.truncated]), reply: .truncated()),
        Fault("truncated chunk", .failure([.truncated]), reply: .truncatedChunk),
        Fault(
            "over-long length", .response(status: 200, body: LoopbackPattern.data(count: 50)), reply: .overlong()),
        Fault("bad chunk", .failure([.badResponse]), reply: .badChunk),
        Fault("corrupt gzip body", .failure([.badResponse]), reply: .corruptGzip(text)),
        Fault("garbage status line", .failure([.badResponse]), reply: .garbage),
    ]

    private static let oddities: [Fault] = [
        Fault("64 KB header", .response(status: 200, body: Data("ok".utf8)), reply: .hugeHeader()),
        Fault("204 with a body", .response(status: 204, body: Data()), reply: bodyThatMustNotBe(status: 204)),
        Fault("304 with a body", .response(status: 304, body: Data()), reply: bodyThatMustNotBe(status: 304)),
        Fault(
            "gzip body", .response(status: 200, body: text), ofDownload: .failure([.badResponse]), reply: .gzip(text)),
        Fault(
            "wrong content type", .response(status: 200, body: text),
            reply: .response(headers: [LoopbackHeader("Content-Type", "image/png")], body: text)),
        Fault(
            "no content type", .response(status: 200, body: text), reply: .response(body: text)),
    ]

    private static let redirections: [Fault] = [
        Fault("redirect loop", .failure([.tooManyRedirects]), redirects: true) { $0.url("/redirect-loop") },
        Fault("redirect to another host", .response(status: 200, body: text), redirects: true) { server in
            server.handle("GET", "/landing", reply: .response(body: text))
            server.handle("*", "/fault", reply: .redirect(to: "http://localhost:\(server.port)/landing"))
            return server.url("/fault")
        },
        Fault("redirect to another scheme", .failure([.unsupportedURL]), redirects: true) { server in
            server.handle("*", "/fault", reply: .redirect(to: "file:///etc/hostname"))
            return server.url("/fault")
        },
    ]

    private static let text = Data(String(repeating: "The right bytes. ", count: 1_000).utf8)

    private static func bodyThatMustNotBe(status: Int) -> LoopbackReply {
        LoopbackReply(steps: [
            .head(status: status, headers: [LoopbackHeader("Content-Length", "10")]), .raw(Data("unexpected".utf8)),
        ])
    }
}
