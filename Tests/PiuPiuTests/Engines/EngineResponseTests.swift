import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The session engine: responses", .timeLimit(.minutes(10)))
struct EngineResponseTests {
    private let server: LoopbackServer
    private let engine = URLSessionEngine(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test func aBodyArrivesWithItsUpdates() async throws {
        let updates = Log<TransferUpdate>()
        let output = try await engine.load(server.url("/bytes/300000"), updates: updates)
        #expect(output.head.status == 200)
        #expect(output.data == LoopbackPattern.data(count: 300_000))
        #expect(output.request.url == server.url("/bytes/300000"))
        let stages = updates.all.map(\.stage)
        #expect(stages.prefix(2) == [.started, .responded])
        #expect(stages.dropFirst(2).allSatisfy { $0 == .received } && stages.count > 2)
        #expect(updates.all.last?.progress.bytesReceived == 300_000)
        #expect(updates.all.last?.progress.bytesExpectedToReceive == 300_000)
    }

    @Test func anEmptyBodyIsNil() async throws {
        #expect(try await engine.load(server.url("/empty")).data == nil)
        #expect(try await engine.load(server.url("/status/204")).data == nil)
        #expect(try await engine.load(server.url("/bytes/100"), method: "HEAD").data == nil)
    }

    @Test("A status is data", arguments: [400, 404, 410, 500, 503])
    func status(code: Int) async throws {
        let output = try await engine.load(server.url("/status/\(code)"))
        #expect(output.head.status == code)
        #expect(output.data.text == "{\"status\":\(code)}")
    }

    @Test func aBodyIsSentWithUpdates() async throws {
        let updates = Log<TransferUpdate>()
        let body = LoopbackPattern.data(count: 200_000)
        let output = try await engine.load(server.url("/sink"), method: "POST", body: body, updates: updates)
        #expect(output.data.text?.contains("\"count\":200000") == true)
        #expect(output.data.text?.contains(LoopbackDigest.hexadecimal(LoopbackDigest.of(body))) == true)
        let sent = updates.all.filter { $0.stage == .sent }
        #expect(sent.last?.progress.bytesSent == 200_000)
        #expect(sent.last?.progress.bytesExpectedToSend == 200_000)
        #expect(updates.all.first?.stage == .started)
    }

    @Test func headersAndMethodsArrive() async throws {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let body = method == "GET" ? nil : Data("body".utf8)
            let output = try await engine.load(
                server.url("/echo"), method: method, headers: ["X-Test": "ü"], body: body)
            let echo = try Echo(output.data)
            #expect(echo.method == method)
            #expect(echo.header("X-Test") != nil)
            #expect(echo.body == body.text ?? "")
        }
    }

    @Test func theHeadersOfTheConfigurationAreSent() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-One": "1", "X-Two": "2"]
        let engine = URLSessionEngine(configuration: configuration)
        let echo = try Echo(try await engine.load(server.url("/echo"), headers: ["X-Two": "own"]).data)
        #expect(echo.header("X-One") == "1")
        #expect(echo.header("X-Two") == "own")
    }

    @Test func chunkedAndCompressedBodiesAreDecoded() async throws {
        let chunked = try await engine.load(server.url("/chunked/5/1000"))
        #expect(chunked.data?.count == 5_000)
        let gzip = try await engine.load(server.url("/gzip"))
        #expect(gzip.data.text == String(repeating: "All work and no play makes Jack a dull boy.\n", count: 100))
    }

    @Test("The length of a coded body is not that of the received bytes, so nothing is expected")
    func progressOfCodedBodies() async throws {
        let updates = Log<TransferUpdate>()
        let output = try await engine.load(server.url("/gzip"), updates: updates)
        #expect(updates.all.last?.progress.bytesReceived == output.data.map { Int64($0.count) })
        #expect(updates.all.allSatisfy { $0.progress.bytesExpectedToReceive == nil })
    }

    @Test("The length of a body that isn't sent is not expected")
    func progressWithoutBody() async throws {
        let updates = Log<TransferUpdate>()
        let output = try await engine.load(server.url("/bytes/100"), method: "HEAD", updates: updates)
        #expect(output.head.expectedContentLength == 100)
        #expect(updates.all.map(\.stage).contains(.responded))
        #expect(updates.all.allSatisfy { $0.progress.bytesExpectedToReceive == nil })
    }

    @Test func interimResponsesAreSkipped() async throws {
        let updates = Log<TransferUpdate>()
        let output = try await engine.load(server.url("/early-hints"), updates: updates)
        #expect(output.head.status == 200)
        #expect(output.data.text == "{\"hinted\":true}")
        #expect(updates.all.map(\.stage) == [.started, .responded, .received])
    }

    @Test func basicAuthenticationIsDataToo() async throws {
        let path = server.url("/basic-auth/user/password")
        let refused = try await engine.load(path)
        #expect(refused.head.status == 401)
        let body = try await engine.load(path, method: "POST", body: Data("body".utf8))
        #expect(body.head.status == 401)
        let credentials = Data("user:password".utf8).base64EncodedString()
        let accepted = try await engine.load(path, headers: ["Authorization": "Basic \(credentials)"])
        #expect(accepted.head.status == 200)
    }

    @Test func theBodyOfA401Arrives() async throws {
        let header = LoopbackHeader("WWW-Authenticate", "Basic realm=\"test\"")
        server.handle("GET", "/secret", reply: .text("who are you?", status: 401, headers: [header]))
        let updates = Log<TransferUpdate>()
        let output = try await engine.load(server.url("/secret"), updates: updates)
        #expect(output.head.status == 401)
        #expect(output.data.text == "who are you?")
        #expect(updates.all.map(\.stage) == [.started, .responded, .received])
    }

    @Test func hugeHeadersAreAccepted() async throws {
        #expect(try await engine.load(server.url("/fault/huge-headers")).head.status == 200)
    }

    @Test func anUpperCaseSchemeIsUnderstood() async throws {
        let output = try await engine.load(try url("HTTP://127.0.0.1:\(server.port)/text"))
        #expect(output.head.status == 200)
    }

    @Test func thereIsNoHiddenCookieJar() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        let engine = URLSessionEngine(configuration: configuration)
        _ = try await engine.load(server.url("/cookies/set?hidden=1"))
        #expect(try await engine.load(server.url("/cookies")).data.text == "{}")
        let jars = HTTPCookieStorage.shared.cookies ?? []
        #expect(!jars.contains { $0.name == "hidden" })
    }

    @Test func anEphemeralConfigurationHasAJarOfItsOwn() async throws {
        let one = URLSessionEngine(configuration: .ephemeral)
        _ = try await one.load(server.url("/cookies/set?mine=1"))
        #expect(try await one.load(server.url("/cookies")).data.text == "{\"mine\":\"1\"}")
        let other = URLSessionEngine(configuration: .ephemeral)
        #expect(try await other.load(server.url("/cookies")).data.text == "{}")
        #expect(!(HTTPCookieStorage.shared.cookies ?? []).contains { $0.name == "mine" })
    }

    @Test func aHeaderCanNotBeInjected() async throws {
        var request = server.request("/echo")
        request.setValue("x", forHTTPHeaderField: "X-A: 1\r\nX-Injected")
        let injecting = request
        await #expect(throws: InvalidRequestError.self) {
            _ = try await engine.run(injecting)
        }
        #expect(server.requestCount() == 0)
    }
}
