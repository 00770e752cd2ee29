import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Cookies: limits and secure cookies", .timeLimit(.minutes(10)))
struct CookieLimitTests {
    @Test("A cookie whose name and value have more than 4096 bytes is ignored (RFC 6265bis, 5.6)")
    func largeCookies() {
        let value = String(repeating: "é", count: 2047)
        #expect(SetCookie("ab=\(value); Path=/")?.value == value)
        #expect(SetCookie("abc=\(value)") == nil)
    }

    @Test("An attribute of more than 1024 bytes is ignored (RFC 6265bis, 5.6)")
    func longAttributes() throws {
        let path = "/" + String(repeating: "x", count: 1023)
        let whole = try #require(SetCookie("a=1; Path=\(path); Secure")?.cookie(from: url("https://host/")))
        #expect(whole.path == path && whole.isSecure)
        let other = try #require(SetCookie("a=1; Path=\(path)x; Secure")?.cookie(from: url("https://host/")))
        #expect(other.path == "/" && other.isSecure)
    }

    private func isSettable(_ line: String, from text: String) throws -> Bool {
        try SetCookie(line)?.cookie(from: url(text)) != nil
    }

    @Test("A server sets no secure cookie without TLS (RFC 6265bis, 5.7)")
    func secure() throws {
        #expect(try !isSettable("a=1; Secure", from: "http://host/"))
        #expect(try isSettable("a=1", from: "http://host/"))
        let cookie = try #require(SetCookie("a=1; Secure; HttpOnly")?.cookie(from: url("HTTPS://host/")))
        #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.value == "1")
    }

    @Test("A cookie is for no whole top-level domain, also where the names have a dot at their end (RFC 6265, 5.3)")
    func topLevel() throws {
        for dot in ["", "."] {
            #expect(try !isSettable("a=1; Domain=com\(dot)", from: "https://evil.com\(dot)/"), "\(dot)")
            #expect(try !isSettable("a=1; Domain=.com\(dot)", from: "https://a.evil.com\(dot)/"), "\(dot)")
            for host in ["a.evil.com", "evil.com"] {
                let cookie = SetCookie("a=1; Domain=evil.com\(dot)")?.cookie(from: try url("https://\(host)\(dot)/"))
                #expect(cookie?.domain.hasPrefix(".") == true, "\(host)\(dot)")
            }
            let own = SetCookie("a=1; Domain=com\(dot)")?.cookie(from: try url("https://com\(dot)/"))
            #expect(own?.domain.hasPrefix(".") == false, "\(dot)")
        }
    }

    @Test("The prefixes of a name hold what they promise, whatever their case (RFC 6265bis, 4.1.3)")
    func prefixes() throws {
        for prefix in ["__Secure-", "__SECURE-"] {
            #expect(try isSettable("\(prefix)a=1; Secure", from: "https://a.host/"))
            #expect(try isSettable("\(prefix)a=1; Secure; Domain=a.host; Path=/x", from: "https://a.host/"))
            #expect(try !isSettable("\(prefix)a=1", from: "https://a.host/"))
            #expect(try !isSettable("\(prefix)a=1; Secure", from: "http://a.host/"))
        }
        for prefix in ["__Host-", "__host-"] {
            #expect(try isSettable("\(prefix)a=1; Secure; Path=/", from: "https://a.host/x/y"))
            #expect(try !isSettable("\(prefix)a=1; Secure", from: "https://a.host/x/y"))
            #expect(try !isSettable("\(prefix)a=1; Secure", from: "https://a.host/"))
            #expect(try !isSettable("\(prefix)a=1; Path=/", from: "https://a.host/"))
            #expect(try !isSettable("\(prefix)a=1; Secure; Path=/x", from: "https://a.host/"))
            #expect(try !isSettable("\(prefix)a=1; Secure; Path=/; Domain=a.host", from: "https://a.host/"))
            #expect(try !isSettable("\(prefix)a=1; Secure; Path=/", from: "http://a.host/"))
        }
        #expect(try isSettable("__Hostile=1", from: "http://a.host/"))
    }

    #if canImport(FoundationNetworking)
        /// The cookies that are kept after a response of 127.0.0.1 with these, beside older ones; by name, with values.
        private func kept(
            _ cookies: [String], from path: String = "/", beside old: [HTTPCookie] = []
        ) async throws -> [String] {
            let server = try LoopbackServer.start(), configuration = URLSessionConfiguration.ephemeral
            for cookie in old { configuration.httpCookieStorage?.setCookie(cookie) }
            server.handle("GET", path, reply: .text("a", headers: cookies.map { LoopbackHeader("Set-Cookie", $0) }))
            _ = try await makeStandardEngine(configuration).load(server.url(path))
            return (configuration.httpCookieStorage?.cookies ?? []).map { "\($0.name)=\($0.value)" }.sorted()
        }

        private func cookie(_ name: String, _ domain: String, _ path: String, isSecure: Bool) throws -> HTTPCookie {
            var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: "old", .domain: domain, .path: path]
            if isSecure { properties[.secure] = "TRUE" }
            return try #require(HTTPCookie(properties: properties))
        }

        @Test(
            "A response without TLS sets no cookie in the place of a secure one, or beside it (RFC 6265bis, 5.7)")
        func overlay() async throws {
            let safe = try cookie("a", "127.0.0.1", "/", isSecure: true)
            for line in ["a=new; Path=/", "a=new; Path=/x", "a=; Path=/; Max-Age=0"] {
                #expect(try await kept([line], beside: [safe]) == ["a=old"], "\(line)")
            }
            #expect(try await kept(["b=new"], beside: [safe]) == ["a=old", "b=new"])
            let unsafe = try cookie("a", "127.0.0.1", "/", isSecure: false)
            #expect(try await kept(["a=new; Path=/"], beside: [unsafe]) == ["a=new"])
            let deep = try cookie("a", "127.0.0.1", "/x", isSecure: true)
            #expect(try await kept(["a=new; Path=/"], beside: [deep]) == ["a=new", "a=old"])
            let elsewhere = try cookie("a", "example.com", "/", isSecure: true)
            #expect(try await kept(["a=new; Path=/"], beside: [elsewhere]) == ["a=new", "a=old"])
        }

        @Test("A cookie replaces none of another name and path that is the same text with them in a row")
        func sameText() async throws {
            let set = ["session=1; Path=/admin", "adminsession=2; Path=/"]
            #expect(try await kept(set) == ["session=1"])
            #expect(try await kept([set[1], set[0]]) == ["adminsession=2"])
            let host = try cookie("__Host-a", "127.0.0.1", "/", isSecure: true)
            for line in ["Host-a=1; Path=/__", "Host-a=; Path=/__; Max-Age=0"] {
                #expect(try await kept([line], beside: [host]) == ["__Host-a=old"], "\(line)")
            }
            #expect(try await kept(["__Host-a=1; Path=/", "b=1"], beside: [host]) == ["__Host-a=old", "b=1"])
            let open = try cookie("ab", "127.0.0.1", "/", isSecure: false)
            #expect(try await kept(["ab=; Path=/; Max-Age=0", "b=1; Path=/a"], beside: [open]) == ["b=1"])
        }

        @Test("Of the cookies of one response the last 180 of a domain are kept")
        func manyCookies() async throws {
            let lines = (0..<2_000).map { "c\($0)=\($0); Path=/; Max-Age=1000" }
            let names = (1_820..<2_000).map { "c\($0)=\($0)" }.sorted()
            #expect(try await kept(lines) == names)
            #expect(try await kept(lines + ["c1999=; Path=/; Max-Age=0"]).count == 179)
            // The last one of a name counts, in the place of the first.
            #expect(try await kept((0..<2_000).map { "c=\($0)" } + ["d=1"]) == ["c=1999", "d=1"])
        }
    #endif
}
