import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Interim responses", .timeLimit(.minutes(10)))
struct InterimResponseTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer.start() }

    private func answer(after interim: [String]) -> LoopbackReply {
        var reply = LoopbackReply.text("done")
        reply.steps = interim.map { .raw(Data("HTTP/1.1 \($0)\r\n\r\n".utf8)) } + reply.steps
        return reply
    }

    @Test("An engine reports each of them, as they show that the server is still at work", arguments: [false, true])
    func reports(isURLSession: Bool) async throws {
        let engine: any TransferEngine =
            isURLSession ? URLSessionEngine(configuration: .ephemeral) : makeStandardEngine(.ephemeral)
        server.handle("GET", "/slow", reply: answer(after: ["102 Processing", "103 Early Hints\r\nLink: </a>"]))
        let log = Log<TransferEvent>()
        let handle = engine.start(TransferRequest(server.request("/slow"))) { log.append($0) }
        defer { handle.cancel() }
        let heads = await log.untilTheEnd().compactMap { if case .head(let head, _) = $0 { head } else { nil } }
        #expect(heads.map(\.status) == [102, 103, 200])
        #expect(heads.last?.value(for: "Link") == nil)
    }

    #if canImport(FoundationNetworking)
        @Test("A switch to another protocol, for which nobody has asked, is a bad response at once")
        func switchedProtocol() async throws {
            let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
            server.handle("GET", "/upgrade", reply: LoopbackReply(steps: [.raw(Data((head + "bytes").utf8)), .close]))
            let log = Log<TransferEvent>()
            let handle = makeCurlEngine().start(TransferRequest(server.request("/upgrade"))) { log.append($0) }
            defer { handle.cancel() }
            let events = await log.untilTheEnd()
            guard case .failed(let error as TransferError) = events.last else {
                Issue.record("\(events)")
                return
            }
            #expect(error.kind == .badResponse && events.count == 1, "\(events)")
        }
    #endif

    @Test("A cookie of one isn't kept")
    func cookies() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        server.handle("GET", "/cookie", reply: answer(after: ["103 Early Hints\r\nSet-Cookie: a=b"]))
        let output = try await makeStandardEngine(configuration).load(server.url("/cookie"))
        #expect(output.data.text == "done")
        #expect(storage.cookies ?? [] == [])
    }
}
