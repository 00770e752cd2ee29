import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Where and until when a credential is sent", .timeLimit(.minutes(10)))
struct AuthenticatingOriginTests {
    @Test("A9 EARLY: a credential never goes to another origin, and a 401 from there is data")
    func origins() async throws {
        let server = KeyServer(accepting: 2), count = Counter()
        var session = try keys(1) { old in
            count.increment()
            return old + 1
        }
        let others = [
            "https://example.org/posts", "https://example.com:8443/posts", "http://example.com/posts",
            "https://www.example.com/posts", "https://example.com.evil.org/", "https://example.com@evil.org/",
        ]
        for other in others {
            let response = server.authenticated(by: session).dataFuture(from: try request("GET", other))
            #expect(await response.statusOrName == "401", "\(other)")
        }
        #expect(server.sent == others.map { _ in "none" } && count.value == 0)
        session.origins.append(try url("http://example.com"))
        let own = ["https://EXAMPLE.com:443/a", "https://user@example.com/b", "http://example.com:80/c"]
        for text in own {
            let response = server.authenticated(by: session).dataFuture(from: try request("GET", text))
            #expect(await response.statusOrName == "200", "\(text)")
        }
        #expect(server.sent.dropFirst(others.count) == ["1", "2", "2", "2"])
    }

    @Test(
        "A9 EARLY: a redirect to another origin drops the credential, whatever its header is called",
        arguments: [301, 302, 303, 307, 308])
    func redirected(status: Int) async throws {
        let server = try LoopbackServer.start(), other = try LoopbackServer.start()
        let session = Authenticator(1, for: server.url("/")) { request, key in
            request.setValue("\(key)", forHTTPHeaderField: "X-Honeycomb-Team")
        } refresh: {
            $0
        }
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral).authenticated(by: session)
        for (target, expected) in [(other.url("/echo"), nil), (server.url("/echo"), "1")] as [(URL, String?)] {
            let location = LoopbackHeader("Location", target.absoluteString)
            server.handle("GET", "/away", reply: .text("", status: status, headers: [location]))
            let echo = try Echo(try await dispatcher.dataFuture(from: server.request("/away")).value.data)
            #expect(echo.header("X-Honeycomb-Team") == expected)
        }
    }

    @Test("A9 EARLY: a credential is sent to its server, however the international name of that is written")
    func internationalNames() async throws {
        let server = KeyServer(accepting: 1)
        let session = try keys(1, for: "https://bücher.example/api")
        for text in ["https://bücher.example/a", "https://xn--bcher-kva.example/b"] {
            let response = server.authenticated(by: session).dataFuture(from: try request("GET", text))
            #expect(await response.statusOrName == "200", "\(text)")
        }
        #expect(server.sent == ["1", "1"])
    }

    @Test(
        "A9 EARLY: a credential that expires within the leeway is refreshed before the request",
        arguments: [(69.0, "1"), (70.0, "2"), (500.0, "2")])
    func expiry(now: Double, expected: String) async throws {
        let server = KeyServer(accepting: 2)
        var session = try keys(1, now: { Date(timeIntervalSince1970: now) })
        session.expiry = { Date(timeIntervalSince1970: $0 == 1 ? 100 : 900) }
        #expect(session.leeway == .seconds(30))
        _ = await server.authenticated(by: session).dataFuture(from: try request("GET")).statusOrName
        #expect(server.sent.first == expected)
        let unknown = KeyServer(accepting: 1)
        session = try keys(1, now: { Date(timeIntervalSince1970: now) })
        session.expiry = { _ in nil }
        #expect(await unknown.authenticated(by: session).dataFuture(from: try request("GET")).statusOrName == "200")
    }

    @Test(
        "A9 EARLY: any leeway will do",
        arguments: [
            (Duration(attoseconds: .max), "2"), (.seconds(Int64.max) + .seconds(1), "2"),
            (Duration(attoseconds: .min), "1"),
        ])
    func extremeLeeway(leeway: Duration, expected: String) async throws {
        let server = KeyServer(accepting: 2)
        var session = try keys(1, now: { Date(timeIntervalSince1970: 0) })
        session.expiry = { _ in Date(timeIntervalSince1970: 100) }
        session.leeway = leeway
        _ = await server.authenticated(by: session).dataFuture(from: try request("GET")).statusOrName
        #expect(server.sent.first == expected)
    }

    @Test("A9 EARLY, A5 ONCE: a 401 after an early refresh causes another refresh")
    func earlyAndRejected() async throws {
        let server = KeyServer(accepting: 3)
        var session = try keys(1)
        session.expiry = { $0 == 1 ? .distantPast : .distantFuture }
        #expect(await server.authenticated(by: session).dataFuture(from: try request("GET")).statusOrName == "200")
        #expect(server.sent == ["2", "3"])
    }
}
