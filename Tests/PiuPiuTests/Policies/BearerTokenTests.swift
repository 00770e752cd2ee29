import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bearer tokens", .timeLimit(.minutes(10)))
struct BearerTokenTests {
    @Test("The answer of an OAuth server decodes (RFC 6749, section 5.1), and an encoded token decodes to the same")
    func coding() throws {
        let answer = #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}"#
        let earliest = Date().addingTimeInterval(3600)
        let token = try JSONDecoder().decode(BearerToken.self, from: Data(answer.utf8))
        #expect(token.accessToken == "a" && token.refreshToken == "r")
        let expiry = try #require(token.expiry)
        #expect(expiry >= earliest && expiry <= Date().addingTimeInterval(3600))
        let exact = BearerToken("a", refreshToken: "r", expiry: Date(timeIntervalSince1970: 1_234_567.5))
        #expect(try JSONDecoder().decode(BearerToken.self, from: JSONEncoder().encode(exact)) == exact)
        let least = try JSONDecoder().decode(BearerToken.self, from: Data(#"{"access_token":"a"}"#.utf8))
        #expect(least == BearerToken("a") && least.expiry == nil)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(BearerToken.self, from: Data("{}".utf8)) }
    }

    @Test("A decoder with convertFromSnakeCase, which renames the keys, decodes the answer and an encoded token, too")
    func convertedKeys() throws {
        let decoder = JSONDecoder(), plain = JSONEncoder(), converting = JSONEncoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        converting.keyEncodingStrategy = .convertToSnakeCase
        let answer = #"{"access_token":"a","token_type":"Bearer","expires_in":"3600","refresh_token":"r"}"#
        let earliest = Date(), token = try decoder.decode(BearerToken.self, from: Data(answer.utf8)), latest = Date()
        #expect(token.accessToken == "a" && token.refreshToken == "r")
        let expiry = try #require(token.expiry)
        #expect(expiry >= earliest + 3600 && expiry <= latest + 3600)
        let exact = BearerToken("a", refreshToken: "r", expiry: Date(timeIntervalSince1970: 1_234_567.5))
        for encoder in [plain, converting] {
            encoder.outputFormatting = .sortedKeys
            let data = try encoder.encode(exact)
            #expect(try decoder.decode(BearerToken.self, from: data) == exact)
            #expect(try JSONDecoder().decode(BearerToken.self, from: data) == exact)
            let text = #"{"access_token":"a","expires_at":1234567.5,"refresh_token":"r"}"#
            #expect(String(decoding: data, as: UTF8.self) == text)
        }
        #expect(throws: DecodingError.self) { try decoder.decode(BearerToken.self, from: Data("{}".utf8)) }
    }

    @Test("Of a name in both forms the one of the server counts")
    func bothForms() throws {
        let answer = #"{"accessToken":"b","access_token":"a","refreshToken":"s","refresh_token":null}"#
        #expect(try JSONDecoder().decode(BearerToken.self, from: Data(answer.utf8)) == BearerToken("a"))
    }

    @Test(
        "A lifetime may be a text, and one that can't be read is unknown",
        arguments: [
            ("3599", 3599), (#""3599""#, 3599), (#""3599.5""#, 3599.5), ("null", nil), (#""soon""#, nil), ("true", nil),
            (#""nan""#, nil), (#""inf""#, nil), ("[]", nil), ("1e400", nil),
        ] as [(String, TimeInterval?)])
    func lifetimes(text: String, lifetime: TimeInterval?) throws {
        let answer = Data(#"{"access_token":"a","expires_in":\#(text),"refresh_token":"r"}"#.utf8)
        let earliest = Date(), token = try JSONDecoder().decode(BearerToken.self, from: answer), latest = Date()
        #expect(token.accessToken == "a" && token.refreshToken == "r")
        guard let lifetime else { return #expect(token.expiry == nil) }
        let expiry = try #require(token.expiry)
        #expect(expiry >= earliest + lifetime && expiry <= latest + lifetime)
    }

    @Test(
        "An expiry of another form is unknown, unless the lifetime says it",
        arguments: [#""2026-01-02T15:04:05Z""#, "null", "true", "1e400"])
    func expiries(text: String) throws {
        let token = try JSONDecoder().decode(
            BearerToken.self, from: Data(#"{"access_token":"a","expires_at":\#(text),"refresh_token":"r"}"#.utf8))
        #expect(token == BearerToken("a", refreshToken: "r"))
        let answer = Data(#"{"access_token":"a","expires_at":\#(text),"expires_in":60}"#.utf8)
        #expect(try JSONDecoder().decode(BearerToken.self, from: answer).expiry.map { $0 > .now } == true)
    }

    @Test("The header of RFC 6750, the expiry of the token, and a refresh token that is kept (RFC 6749, section 6)")
    func bearer() async throws {
        let server = scripted(.number(401), .number(200)), get = try request("GET"), olds = EventLog()
        let session = Authenticator.bearer(
            BearerToken("one", refreshToken: "r"), for: try url("https://example.com"), clock: ManualClock(),
            now: { Date(timeIntervalSince1970: 1000) }
        ) { old in
            olds("\(old.accessToken) \(old.refreshToken ?? "none")")
            return BearerToken("two", expiry: Date(timeIntervalSince1970: 1020))
        }
        let dispatcher = server.authenticated(by: session)
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        let headers = server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "Authorization") }
        #expect(headers == ["Bearer one", "Bearer two"])
        #expect(session.credential?.refreshToken == "r")
        _ = await dispatcher.dataFuture(from: get).statusOrName
        #expect(olds.events == ["one r", "two r"], "it expires within the leeway")
    }

    @Test("A token that no header can have fails its request, which isn't sent without it", arguments: ["a\n", "é\0"])
    func unsendable(text: String) async throws {
        let server = scripted(.number(200)), get = try request("GET")
        let session = Authenticator.bearer(BearerToken(text), for: try url("https://example.com")) { $0 }
        let error = await #expect(throws: InvalidRequestError.self) {
            _ = try await server.authenticated(by: session).dataFuture(from: get).value
        }
        #expect(error == .controlCharacterInCredential(url: get.url))
        #expect(server.exchanges.isEmpty)
    }

    @Test("A9 EARLY: the expires_in of a new token counts from the authenticator's time of day")
    func lifetime() async throws {
        let now = Locked(Date(timeIntervalSince1970: 1000)), count = Counter(), get = try request("GET")
        let session = Authenticator.bearer(
            BearerToken("old", expiry: Date(timeIntervalSince1970: 900)), for: try url("https://example.com"),
            clock: ManualClock(), now: { now.withLock { $0 } }
        ) { _ in
            let answer = #"{"access_token":"\#(count.increment())","expires_in":3600}"#
            return try JSONDecoder().decode(BearerToken.self, from: Data(answer.utf8))
        }
        let dispatcher = scripted(.number(200)).authenticated(by: session)
        _ = try await dispatcher.dataFuture(from: get).value
        #expect(session.credential == BearerToken("1", expiry: Date(timeIntervalSince1970: 4600)))
        now.withLock { $0 = Date(timeIntervalSince1970: 4601) }
        _ = try await dispatcher.dataFuture(from: get).value
        #expect(session.credential?.accessToken == "2")
    }

    @Test("A9 EARLY: the expires_in of a sign-in counts from the authenticator's time of day, too")
    func signInLifetime() async throws {
        let now = Locked(Date(timeIntervalSince1970: 1000)), get = try request("GET"), count = Counter()
        func token(_ name: String) throws -> BearerToken {
            try JSONDecoder().decode(
                BearerToken.self, from: Data(#"{"access_token":"\#(name)","expires_in":3600}"#.utf8))
        }
        let session = Authenticator.bearer(
            try token("first"), for: try url("https://example.com"), clock: ManualClock(),
            now: { now.withLock { $0 } }
        ) { _ in BearerToken("refreshed \(count.increment())") }
        let dispatcher = scripted(.number(200)).authenticated(by: session)
        for (name, time) in [("first", 1000.0), ("second", 10_000)] {
            now.withLock { $0 = Date(timeIntervalSince1970: time) }
            if name == "second" { session.setCredential(try token(name)) }
            _ = try await dispatcher.dataFuture(from: get).value
            #expect(session.credential?.accessToken == name)
            now.withLock { $0 = Date(timeIntervalSince1970: time + 3601) }
            _ = try await dispatcher.dataFuture(from: get).value
            #expect(session.credential?.accessToken.hasPrefix("refreshed") == true)
        }
        #expect(count.value == 2)
    }

    @Test("By the system's time a token stays the one that was set, however long ago it was decoded")
    func unchangedToken() throws {
        let answer = Data(#"{"access_token":"a","expires_in":3600}"#.utf8)
        let token = try JSONDecoder().decode(BearerToken.self, from: answer)
        let session = Authenticator.bearer(token, for: try url("https://example.com")) { $0 }
        #expect(session.credential == token)
        session.setCredential(token)
        #expect(session.credential == token)
    }
}
