#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import Testing

    @Suite("Cookies: which are removed if there are too many", .timeLimit(.minutes(10)))
    struct CookieRemovalTests {
        private let storage: HTTPCookieStorage
        private let engine: TransferTimeTests.QuietEngine
        private let driver: TransferDriver

        init() throws {
            let configuration = URLSessionConfiguration.ephemeral
            storage = try #require(configuration.httpCookieStorage)
            engine = TransferTimeTests.QuietEngine(TransferSettings(configuration))
            driver = TransferDriver(engine)
        }

        /// Answers a request to a URL with these cookies.
        private func answer(_ text: String, with cookies: [String]) throws {
            let url = try url(text), hop = engine.hops.withLock { $0.count }
            _ = driver.start(TransferRequest(URLRequest(url: url))) { _ in }
            let head = TransferHead(url: url, status: 200, fields: cookies.map { (name: "Set-Cookie", value: $0) })
            engine.tell(.head(head, request: URLRequest(url: url)), hop: hop)
            engine.tell(.finished, hop: hop)
        }

        /// Stores a cookie as the app does.
        private func store(_ name: String, of domain: String, isSecure: Bool = false) throws {
            var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: "app", .domain: domain, .path: "/"]
            if isSecure { properties[.secure] = "TRUE" }
            storage.setCookie(try #require(HTTPCookie(properties: properties)))
        }

        private func lines(_ count: Int, _ attributes: String = "") -> [String] {
            (0..<count).map { "c\($0)=1; Path=/\(attributes)" }
        }

        private var cookies: [HTTPCookie] { storage.cookies ?? [] }

        private func values(of name: String) -> [String] { cookies.filter { $0.name == name }.map(\.value) }

        @Test("However many cookies a response without TLS sets, a secure one isn't removed and replaced")
        func fixation() throws {
            try answer("https://example.com/", with: ["a=old; Path=/; Secure"])
            try answer("http://example.com/", with: lines(180))
            #expect(cookies.count == 180 && values(of: "a") == ["old"] && values(of: "c0").isEmpty)
            try answer("http://example.com/", with: ["a=new; Path=/"])
            #expect(values(of: "a") == ["old"])
        }

        @Test("Secure cookies of a domain are removed after others, and only over TLS (RFC 6265bis, 5.7)")
        func secure() throws {
            for number in 0..<200 { try store("s\(number)", of: "example.com", isSecure: true) }
            try answer("http://example.com/", with: ["a=1; Path=/"])
            #expect(cookies.count == 200 && cookies.allSatisfy(\.isSecure))
            try answer("https://example.com/", with: ["a=1; Path=/; Secure"])
            #expect(cookies.count == 180 && values(of: "a") == ["1"])
            try answer("https://example.com/", with: ["b=1; Path=/; Secure", "c=1; Path=/"])
            #expect(cookies.count == 180 && values(of: "a") == ["1"] && values(of: "b") == ["1"])
            #expect(values(of: "c").isEmpty)
        }

        @Test("Secure cookies of all domains are removed only over TLS")
        func secureOfAll() throws {
            for number in 0..<30 { try answer("https://h\(number).example/", with: lines(100, "; Secure")) }
            #expect(cookies.count == 3_000)
            try answer("http://other.example/", with: ["a=1"])
            #expect(cookies.count == 3_000 && cookies.allSatisfy(\.isSecure))
            try answer("https://other.example/", with: ["a=1"])
            #expect(cookies.count == 2_700 && values(of: "a") == ["1"])
        }

        @Test("Of the cookies of any number of domains the last ones are kept")
        func manyDomains() throws {
            try store("own", of: "example.com")
            for number in 0..<40 { try answer("http://h\(number).evil.example/", with: lines(100)) }
            #expect((2_700...3_001).contains(cookies.count))
            #expect(cookies.contains { $0.name == "own" })
            #expect(cookies.count { $0.domain == "h39.evil.example" } == 100)
            #expect(!cookies.contains { $0.domain == "h0.evil.example" })
        }

        @Test(
            "A site with any number of domains, or many addresses, removes no cookie of another site",
            arguments: [("shop.example", "h#.evil.example"), ("192.168.7.1", "10.#.7.1")])
        func otherSites(host: String, others: String) throws {
            try answer("http://\(host)/", with: ["first=1"])
            for number in 0..<30 {
                try answer("http://\(others.replacing("#", with: "\(number)"))/", with: lines(100))
            }
            #expect(cookies.count == 2_700 && values(of: "first") == ["1"])
            for number in 30..<33 {
                try answer("https://\(others.replacing("#", with: "\(number)"))/", with: lines(100, "; Secure"))
            }
            try answer("https://\(host)/", with: ["second=1"])
            #expect(cookies.count == 2_700 && values(of: "first") == ["1"] && values(of: "second") == ["1"])
        }

        @Test(
            "A site with many secure cookies removes none of another site without TLS",
            arguments: ["h0.evil.example", "other.example"])
        func otherSiteOfSecure(host: String) throws {
            try answer("http://shop.example/", with: ["first=1"])
            for number in 0..<30 {
                let count = number == 0 ? 99 : 100
                try answer("https://h\(number).evil.example/", with: lines(count, "; Secure"))
            }
            #expect(cookies.count == 3_000)
            try answer("http://\(host)/", with: ["plain=1"])
            #expect(cookies.count == 2_700 && values(of: "first") == ["1"])
        }
    }
#endif
