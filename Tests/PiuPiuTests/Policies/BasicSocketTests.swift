import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP Basic over a real socket", .timeLimit(.minutes(10)))
struct BasicSocketTests {
    private let server: LoopbackServer
    private let network = URLRequestDispatcher(configuration: .ephemeral)
    private let session: Authenticator<BasicCredential>
    /// The header of the user's credential.
    private let header = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="

    init() throws {
        server = try LoopbackServer.start()
        session = .basic(BasicCredential(user: "Aladdin", password: "open sesame"), for: server.baseURL)
        server.handle("GET", "/a") { [header] request in
            let challenge = LoopbackHeader("WWW-Authenticate", "Basic realm=\"a\"")
            return request.header("Authorization") == header
                ? .text("yes") : .text("no", status: 401, headers: [challenge])
        }
    }

    @Test("STATUS: a 401 is the response, of one exchange, ten times in a row")
    func rejected() async throws {
        session.setCredential(BasicCredential(user: "test", password: "123£"))
        let dispatcher = network.authenticated(by: session)
        for _ in 0..<10 {
            let response = try await dispatcher.dataFuture(from: server.request("/a")).value
            #expect(response.head.status == 401 && response.data.text == "no")
        }
        let headers = server.requests.map { $0.header("Authorization") }
        #expect(headers == Array(repeating: "Basic dGVzdDoxMjPCow==", count: 10))
    }

    @Test("A8 SESSION: the credential is sent until the sign-out")
    func signOut() async throws {
        let dispatcher = network.authenticated(by: session)
        #expect(await dispatcher.dataFuture(from: server.request("/a")).statusOrName == "200")
        session.removeCredential()
        #expect(await dispatcher.dataFuture(from: server.request("/a")).statusOrName == "401")
        #expect(server.requests.map { $0.header("Authorization") } == [header, nil])
    }

    @Test("A9 EARLY: another origin gets nothing, by a request or by a redirect")
    func origins() async throws {
        let other = try LoopbackServer.start()
        other.handle("GET", "/b", reply: .text("no", status: 401))
        server.handle("GET", "/away", reply: .redirect(302, to: other.url("/b").absoluteString))
        server.handle("GET", "/near", reply: .redirect(302, to: "/a"))
        let dispatcher = network.authenticated(by: session)
        #expect(await dispatcher.dataFuture(from: other.request("/b")).statusOrName == "401")
        #expect(await dispatcher.dataFuture(from: server.request("/away")).statusOrName == "401")
        #expect(other.requests.map { $0.header("Authorization") } == [nil, nil])
        #expect(await dispatcher.dataFuture(from: server.request("/near")).statusOrName == "200")
        var request = server.request("/away")
        try request.setBasicAuthorization(user: "Aladdin", password: "open sesame")
        #expect(await network.dataFuture(from: request).statusOrName == "401")
        #expect(server.requests.last?.header("Authorization") == header)
        #expect(other.requests.count == 3 && other.requests.last?.header("Authorization") == nil)
    }

    @Test("No text of an authenticator, an event or an error shows the credential")
    func texts() async throws {
        let events = ObservedEvents(), lines = EventLog()
        let dispatcher = network.authenticated(by: session).observed(by: events, ExchangeLog(.events) { lines($0) })
        let response = try await dispatcher.dataFuture(from: server.request("/a")).value
        var texts = "\(session) \(dispatcher) \(response) \(events.events) \(lines.events)"
        dump(session, to: &texts)
        dump(dispatcher, to: &texts)
        dump(events.events, to: &texts)
        for (user, password) in [("Aladdin:", ""), ("", "sesame\n")] {
            session.setCredential(BasicCredential(user: user, password: password))
            let error = await #expect(throws: InvalidRequestError.self) {
                _ = try await dispatcher.dataFuture(from: server.request("/a")).value
            }
            #expect(error?.url == server.url("/a"))
            texts += "\(error as Any) \(error?.localizedDescription ?? "")"
        }
        #expect(server.requestCount(path: "/a") == 1)
        for secret in ["Aladdin", "sesame", "QWxhZGRpb"] { #expect(!texts.contains(secret), "\(secret)") }
    }
}
