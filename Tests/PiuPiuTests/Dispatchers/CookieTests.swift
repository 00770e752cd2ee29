import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Cookies", .timeLimit(.minutes(10)))
struct CookieTests {
    private let server: LoopbackServer
    private let engine = makeStandardEngine(.ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    private func cookies(_ headers: [String: String] = [:]) async throws -> String? {
        try await engine.load(server.url("/cookies"), headers: headers).data.text
    }

    @Test func cookiesAreKeptAndSent() async throws {
        #expect(try await cookies() == "{}")
        _ = try await engine.load(server.url("/cookies/set?a=1&b=2"))
        #expect(try await cookies() == #"{"a":"1","b":"2"}"#)
        _ = try await engine.load(server.url("/cookies/set?a=3"), method: "GET")
        #expect(try await cookies() == #"{"a":"3","b":"2"}"#)
    }

    @Test("RFC 6265, 5.2: the separators are bytes, whatever characters stand beside them")
    func separators() {
        #expect(SetCookie("a=\u{301}b\u{602}; Secure")?.value == "\u{301}b\u{602}")
        #expect(SetCookie.lines(in: "a=b,\u{301}c=d\u{602},e=f").count == 3)
    }

    @Test(
        "RFC 6265bis, 5.6: SameSite is Strict or Lax, in any case, and the last one counts",
        arguments: [
            ("SameSite=strict", .strict), (" samesite = LAX", .lax), ("SameSite=None", nil), ("SameSite", nil),
            ("", nil), ("SameSite=Strict; SameSite=Lax", .lax), ("SameSite=Lax; SameSite=other", nil),
        ] as [(String, SetCookie.SameSite?)])
    func sameSite(attribute: String, expected: SetCookie.SameSite?) throws {
        let cookie = try #require(SetCookie("a=1; Path=/; \(attribute)"))
        #expect(cookie.sameSite == expected && cookie.value == "1")
    }

    #if canImport(FoundationNetworking)
        @Test("A cookie of the app that no header can have isn't sent, and the others are")
        func unsendable() async throws {
            let configuration = URLSessionConfiguration.ephemeral
            for (name, value) in [("a", "1\u{1}"), ("b\u{7F}", "2"), ("c", "3"), ("d[e]", "4")] {
                let properties: [HTTPCookiePropertyKey: Any] = [
                    .name: name, .value: value, .domain: "127.0.0.1", .path: "/",
                ]
                configuration.httpCookieStorage?.setCookie(try #require(HTTPCookie(properties: properties)))
            }
            _ = try await makeStandardEngine(configuration).load(server.url("/cookies"))
            let sent = server.requests(path: "/cookies").first?.header("Cookie")?.split(separator: "; ").sorted()
            #expect(sent == ["c=3", "d[e]=4"])
        }
    #endif

    @Test("A request's own cookies are sent with those of the jar, and win")
    func ownCookies() async throws {
        _ = try await engine.load(server.url("/cookies/set?a=1&b=2"))
        #expect(try await cookies(["Cookie": "b=own; c=3"]) == #"{"a":"1","b":"own","c":"3"}"#)
    }

    @Test("A cookie that a redirect sets is sent to where it leads, and not to another host")
    func redirects() async throws {
        let set = LoopbackHeader("Set-Cookie", "session=7; Path=/")
        server.handle("GET", "/here", reply: .response(302, headers: [set, LoopbackHeader("Location", "/cookies")]))
        #expect(try await engine.load(server.url("/here")).data.text == #"{"session":"7"}"#)
        let elsewhere = LoopbackHeader("Location", "http://localhost:\(server.port)/cookies")
        server.handle("GET", "/there", reply: .response(302, headers: [set, elsewhere]))
        #expect(try await engine.load(server.url("/there")).data.text == "{}")
    }

    @Test("The request of a response doesn't name the cookies of a jar")
    func secrets() async throws {
        _ = try await engine.load(server.url("/cookies/set?secret=1"))
        let output = try await engine.load(server.url("/cookies"))
        #expect(output.data.text == #"{"secret":"1"}"#)
        #expect(output.request.value(forHTTPHeaderField: "Cookie") == nil)
    }

    @Test("The cookie settings of a configuration and of a request are honoured")
    func settings() async throws {
        let unwilling = URLSessionConfiguration.ephemeral
        unwilling.httpCookieAcceptPolicy = .never
        let refusing = makeStandardEngine(unwilling)
        _ = try await refusing.load(server.url("/cookies/set?a=1"))
        #expect(try await refusing.load(server.url("/cookies")).data.text == "{}")

        let silent = URLSessionConfiguration.ephemeral
        silent.httpShouldSetCookies = false
        let keeping = makeStandardEngine(silent)
        _ = try await keeping.load(server.url("/cookies/set?a=1"))
        #expect(silent.httpCookieStorage?.cookies?.map(\.name) == ["a"])
        #expect(try await keeping.load(server.url("/cookies")).data.text == "{}")

        _ = try await engine.load(server.url("/cookies/set?a=1"))
        var request = server.request("/cookies")
        request.httpShouldHandleCookies = false
        #expect(try await engine.run(request).data.text == "{}")
    }

    @Test("A cookie is sent where it belongs: by its path, its scheme and its age")
    func scope() async throws {
        func set(_ cookies: String...) async throws {
            let headers = cookies.map { LoopbackHeader("Set-Cookie", $0) }
            server.handle("GET", "/dir/set", reply: .response(200, headers: headers))
            _ = try await engine.load(server.url("/dir/set"))
        }
        try await set("safe=1; Path=/; Secure", "near=1; Path=/dir", "half=1; Path=/cook", "all=1; Path=/")
        #expect(try await cookies() == #"{"all":"1"}"#)
        try await set("all=2; Path=/; Max-Age=0", "young=1; Path=/; Max-Age=1000")
        #expect(try await cookies() == #"{"young":"1"}"#)
    }

    @Test("Of several cookies those with longer paths come first, and of those the earlier ones (RFC 6265, 5.4)")
    func order() async throws {
        let lines = ["b=1; Path=/", "z=2; Path=/echo", "a=3; Path=/", "y=4; Path=/echo"]
        let headers = lines.map { LoopbackHeader("Set-Cookie", $0) }
        server.handle("GET", "/many", reply: .response(200, headers: headers))
        _ = try await engine.load(server.url("/many"))
        let echo = try Echo(await engine.load(server.url("/echo")).data)
        #if canImport(FoundationNetworking)
            #expect(echo.header("Cookie") == "z=2; y=4; b=1; a=3")
        #else
            // Apple's sessions have joined the lines.
            #expect(echo.header("Cookie")?.hasPrefix("z=2") == true)
        #endif
    }

    @Test("A cookie is the last one even after others were removed")
    func orderAfterRemoval() async throws {
        func set(_ cookie: String) async throws {
            server.handle("GET", "/one", reply: .response(200, headers: [LoopbackHeader("Set-Cookie", cookie)]))
            _ = try await engine.load(server.url("/one"))
        }
        for cookie in [
            "a=1; Path=/", "b=2; Path=/", "z=3; Path=/", "a=1; Path=/; Max-Age=0", "b=2; Path=/; Max-Age=0",
            "c=4; Path=/",
        ] {
            try await set(cookie)
        }
        let echo = try Echo(await engine.load(server.url("/echo")).data)
        #if canImport(FoundationNetworking)
            #expect(echo.header("Cookie") == "z=3; c=4")
        #endif
    }

    @Test("A cookie with a control character is ignored, and the others are sent (RFC 6265bis, 5.6)")
    func controlCharacters() {
        for character in ["\r", "\u{1}", "\u{7F}", "\0"] {
            #expect(SetCookie("a=b\(character)c") == nil && SetCookie("a=b; Path=/\(character)") == nil)
        }
        #expect(SetCookie("a=b\tc; Path=/")?.value == "b\tc")
    }

    @Test("A cookie without a path belongs to the folder that has set it")
    func defaultPath() async throws {
        server.handle("GET", "/dir/set", reply: .response(200, headers: [LoopbackHeader("Set-Cookie", "near=1")]))
        _ = try await engine.load(server.url("/dir/set"))
        #expect(try await cookies() == "{}")
        server.handle("GET", "/dir/sub") { request in .text(request.header("Cookie") ?? "none") }
        #expect(try await engine.load(server.url("/dir/sub")).data.text == "near=1")
    }

    #if canImport(FoundationNetworking)
        /// What the jar has after a response with these cookies.
        private func kept(_ cookies: [String], of host: String = "127.0.0.1") async throws -> [String: HTTPCookie] {
            let configuration = URLSessionConfiguration.ephemeral
            let headers = cookies.map { LoopbackHeader("Set-Cookie", $0) }
            server.handle("GET", "/any", reply: .response(200, headers: headers))
            let url = try #require(URL(string: "http://\(host):\(server.port)/any"))
            _ = try await makeStandardEngine(configuration).load(url)
            let kept = configuration.httpCookieStorage?.cookies ?? []
            return Dictionary(kept.map { ($0.name, $0) }) { first, _ in first }
        }

        @Test("A cookie is kept as it is, whatever characters it has, also where Foundation would end the process")
        func anyCharacters() async throws {
            let cookies = try await kept([
                "😀=", "a=à", "b=\u{E080}e\u{301}", "c=1; Expires=Sun, \u{301}6 Nov 2094 08:49:37 GMT", "d=👩‍👧; Path=/日/",
            ])
            #expect(cookies.mapValues(\.value) == ["😀": "", "a": "à", "b": "\u{E080}e\u{301}", "c": "1", "d": "👩‍👧"])
            #expect(cookies["d"]?.path == "/日/" && cookies["c"]?.path == "/" && cookies["c"]?.expiresDate == nil)
        }

        @Test("The date of a cookie is read leniently (RFC 6265, 5.1.1)")
        func dates() async throws {
            let lines = [
                "a=1; Expires=Sat, 06 Nov 2094 08:49:37 GMT", "b=1; Expires=Saturday, 06-Nov-94 08:49:37 GMT",
                "c=1; Expires=Nov 6 8:49:37 2094", "d=1; expires = \"6 november 2094 08:49:37\"",
                "e=1; Expires=06 Nov 2094 24:00:00", "f=1; Expires=31 Feb 2094 08:49:37",
                "g=1; Expires=06 Nov 94 08:49",
                "h=1; Expires=tomorrow",
            ]
            let cookies = try await kept(lines)
            let date = Date(timeIntervalSince1970: 3_939_871_777)
            for name in ["a", "c", "d"] { #expect(cookies[name]?.expiresDate == date, "\(name)") }
            // Of the year 1994.
            #expect(cookies["b"] == nil)
            for name in ["e", "f", "g", "h"] {
                #expect(cookies[name] != nil && cookies[name]?.expiresDate == nil, "\(name)")
            }
        }

        @Test(
            "Of an attribute that comes twice the last counts; a date only if it is one, a path that is none for the default"
        )
        func twice() async throws {
            let cookies = try await kept([
                "p=1; Path=/x; Path=y", "e=1; Expires=Sat, 06 Nov 2094 08:49:37 GMT; Expires=tomorrow",
            ])
            #expect(cookies["p"]?.path == "/")
            #expect(cookies["e"]?.expiresDate == Date(timeIntervalSince1970: 3_939_871_777))
        }

        @Test("RFC 6265, 6.1: of the cookies of a domain the newest 180 are kept, in one response and over several")
        func manyCookies() async throws {
            let configuration = URLSessionConfiguration.ephemeral
            let storage = try #require(configuration.httpCookieStorage)
            let url = server.url("/any"), engine = makeStandardEngine(configuration)
            func set(_ cookies: [String], of host: String = "127.0.0.1") async throws -> Set<String> {
                let headers = cookies.map { LoopbackHeader("Set-Cookie", $0) }
                server.handle("GET", "/any", reply: .response(200, headers: headers))
                let url = try #require(URL(string: "http://\(host):\(server.port)/any"))
                _ = try await engine.load(url)
                return Set((storage.cookies ?? []).map(\.name))
            }
            // Set before, and not by this engine: it is the oldest.
            let before = try #require(
                HTTPCookie(properties: [.name: "before", .value: "1", .path: "/", .domain: "127.0.0.1"]))
            storage.setCookies([before], for: url, mainDocumentURL: nil)
            func names(_ numbers: Range<Int>) -> Set<String> { Set(numbers.map { "c\($0)" }) }
            func lines(_ numbers: Range<Int>) -> [String] { numbers.map { "c\($0)=1; Path=/" } }
            #expect(try await set(lines(0..<179)) == names(0..<179).union(["before"]))
            #expect(try await set(lines(179..<180)) == names(0..<180))
            #expect(try await set(["other=1; Path=/"], of: "localhost") == names(0..<180).union(["other"]))
            // A cookie that is set again stays as old as it was.
            #expect(try await set(lines(0..<1)) == names(0..<180).union(["other"]))
            #expect(try await set(lines(180..<250)) == names(70..<250).union(["other"]))
            #expect(try await set(["c249=1; Path=/; Max-Age=0"]) == names(70..<249).union(["other"]))
            #expect(try await set(lines(250..<252)) == names(71..<249).union(names(250..<252)).union(["other"]))
        }

        @Test("A cookie keeps its attributes, with an age or without one")
        func attributes() async throws {
            let cookies = try await kept([
                "both=1; HttpOnly; Max-Age=100000; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Path=/x",
                "dated=1; Expires=Sat, 06 Nov 2094 08:49:37 GMT; Max-Age=inf; Version=1",
                "plain=1", "forever=1; Max-Age=99999999999999999999999999",
            ])
            let both = try #require(cookies["both"])
            #expect(both.isHTTPOnly && both.path == "/x")
            #expect(try #require(both.expiresDate).timeIntervalSinceNow > 90_000)
            let dated = try #require(cookies["dated"])
            #expect(!dated.isHTTPOnly)
            #expect(dated.expiresDate == Date(timeIntervalSince1970: 3_939_871_777))
            let plain = try #require(cookies["plain"])
            #expect(!plain.isSecure && !plain.isHTTPOnly && plain.expiresDate == nil)
            #expect(try #require(cookies["forever"]?.expiresDate).timeIntervalSinceNow > 1e8)
        }

        @Test("A server sets no cookies for addresses or domains that aren't its own")
        func foreignDomains() async throws {
            let ofAddress = try await kept(["a=1; Domain=0.0.1", "b=1; Domain=.1", "c=1; Domain=example.com", "d=1"])
            #expect(ofAddress.keys.sorted() == ["d"])
            let ofName = try await kept(
                ["a=1; Domain=localhost", "b=1; Domain=b.localhost", "c=1; Domain=host", "d=1"], of: "a.b.localhost")
            #expect(ofName.keys.sorted() == ["b", "d"])
            #expect(try await kept(["a=1; Domain=localhost"], of: "localhost").keys.sorted() == ["a"])
        }

        @Test(
            "RFC 6265, 5.2.3: a domain with a dot before it is the same as without",
            arguments: ["b.localhost", ".b.localhost", ".B.LocalHost"])
        func dottedDomain(domain: String) async throws {
            func url(_ host: String) throws -> URL {
                try #require(URL(string: "http://\(host):\(server.port)/cookies"))
            }
            let set = LoopbackHeader("Set-Cookie", "a=1; Path=/; Domain=\(domain)")
            server.handle("GET", "/set", reply: .response(200, headers: [set]))
            _ = try await engine.load(url("a.b.localhost").deletingLastPathComponent().appending(path: "set"))
            for host in ["a.b.localhost", "b.localhost", "c.b.localhost"] {
                #expect(try await engine.load(url(host)).data.text == #"{"a":"1"}"#, "\(host)")
            }
            for host in ["localhost", "cb.localhost"] {
                #expect(try await engine.load(url(host)).data.text == "{}", "\(host)")
            }
        }
    #endif

    /// Answers from one URL, whatever is asked for.
    private struct AnsweringEngine: AsyncTransferEngine {
        let settings: TransferSettings
        let answering: URL
        let exchanges = RunningExchanges()

        func exchange(
            _ request: TransferRequest, body: TransferChunks?
        ) async throws -> (TransferHead, AsyncStream<Data>) {
            let head = TransferHead(url: answering, status: 200, fields: [("Set-Cookie", "a=1; Path=/; Secure")])
            return (head, AsyncStream { $0.finish() })
        }
    }

    @Test(
        "A secure cookie is kept if the engine has asked the same host over TLS, as a session does by itself (RFC 6797)",
        arguments: [("https://example.com/a", 1), ("http://example.com/a", 0), ("https://other.example/a", 0)])
    func strictTransportSecurity(answering: String, count: Int) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let engine = AnsweringEngine(settings: TransferSettings(configuration), answering: try url(answering))
        _ = try await engine.load(url("http://example.com/a"))
        #expect(configuration.httpCookieStorage?.cookies?.count == count)
    }

    @Test("Headers that name no cookie do no harm", arguments: ["", ";", "=", "a", "a=1;;b", " = ; x"])
    func oddHeaders(header: String) async throws {
        _ = try await engine.load(server.url("/cookies/set?z=1"))
        #expect(try await cookies(["Cookie": header])?.contains(#""z":"1""#) == true)
    }
}
