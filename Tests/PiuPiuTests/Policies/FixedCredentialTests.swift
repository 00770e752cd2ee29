import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Credentials that don't expire", .timeLimit(.minutes(10)))
struct FixedCredentialTests {
    private func session(_ key: Int?) throws -> Authenticator<Int> {
        Authenticator(key, for: try url("https://example.com/api")) { request, key in
            request.setValue("\(key)", forHTTPHeaderField: "X-Key")
        }
    }

    @Test("STATUS: a rejection is the response, of one exchange, ten times in a row")
    func rejected() async throws {
        let server = KeyServer(accepting: 2), get = try request("GET")
        let dispatcher = server.authenticated(by: try session(1))
        for _ in 0..<10 {
            let response = try await dispatcher.dataFuture(from: get).value
            #expect(response.head.status == 401 && response.data.text == "text")
        }
        #expect(server.sent == Array(repeating: "1", count: 10))
    }

    @Test("STATUS: nor do rejections and expiries of the user's own cause another exchange")
    func ownRejections() async throws {
        let server = KeyServer(accepting: 2), get = try request("GET")
        var session = try session(1)
        session.rejectedStatuses = [.unauthorized, .ok]
        session.rejection = { _, _ in true }
        session.expiry = { _ in .distantPast }
        let dispatcher = server.authenticated(by: session)
        for _ in 0..<10 { #expect(await dispatcher.dataFuture(from: get).statusOrName == "401") }
        server.accept(1)
        for _ in 0..<10 { #expect(await dispatcher.dataFuture(from: get).statusOrName == "200") }
        #expect(server.sent == Array(repeating: "1", count: 20))
    }

    @Test(
        "A1 GENERATION, A5 ONCE: after a late rejection a request is sent again, with the current key",
        arguments: [2, 3])
    func newKey(accepted: Int) async throws {
        let late = Gate(), get = try request("GET")
        let server = KeyServer(accepting: accepted) { _ in await late.pass() }
        let session = try session(1)
        let answer = Awaiting(now: server.authenticated(by: session).dataFuture(from: get).then { $0.head.status ?? 0 })
        await late.reached()
        session.setCredential(2)
        late.open()
        #expect(await answer.ending == "value \(accepted == 2 ? 200 : 401)")
        #expect(server.sent == ["1", "2"])
    }

    @Test("A8 SESSION: requests follow a sign-in and a sign-out")
    func signing() async throws {
        let server = KeyServer(accepting: 1), get = try request("GET"), session = try session(nil)
        let dispatcher = server.authenticated(by: session)
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "401")
        session.setCredential(1)
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200" && session.credential == 1)
        session.removeCredential()
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "401" && session.credential == nil)
        #expect(server.sent == ["none", "1", "none"])
    }

    @Test("A8 SESSION: there is no further attempt after a sign-out")
    func signOut() async throws {
        let session = try session(1), get = try request("GET")
        let server = KeyServer(accepting: 1) { _ in
            session.removeCredential()
            throw TransferError(.connectionLost)
        }
        let dispatcher = server.authenticated(by: session).retrying(.fixed(SkippingClock()))
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "credentialRemoved")
        #expect(server.sent == ["1"])
    }

    @Test("A9 EARLY: another origin gets nothing")
    func origins() async throws {
        let server = KeyServer(accepting: 1), session = try session(1), dispatcher = server.authenticated(by: session)
        for other in ["https://example.org/api", "http://example.com/api", "https://example.com:8443/api"] {
            #expect(await dispatcher.dataFuture(from: try request("GET", other)).statusOrName == "401")
        }
        #expect(server.sent == ["none", "none", "none"])
    }
}
