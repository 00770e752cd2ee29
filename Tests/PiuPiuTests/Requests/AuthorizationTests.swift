import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The Authorization of a request", .timeLimit(.minutes(10)))
struct AuthorizationTests {
    typealias Kind = RequestBodyTests.Kind

    @Test("HTTP Basic has the user name and the password in UTF-8, as in RFC 7617", arguments: Kind.allCases)
    func basic(kind: Kind) throws {
        var request = try kind.make()
        request.setValue("old", forHTTPHeaderField: "authorization")
        let examples = [
            ("Aladdin", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "dGVzdDoxMjPCow=="),
            ("", "", "Og=="), ("a", "b:c", "YTpiOmM="),
        ]
        for (user, password, encoded) in examples {
            try request.setBasicAuthorization(user: user, password: password)
            #expect(request.value(forHTTPHeaderField: "Authorization") == "Basic \(encoded)")
        }
        try request.setBearerAuthorization("a.b-c")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer a.b-c")
    }

    @Test("Texts that are equal are sent as the same bytes (RFC 7617, section 2.1)", arguments: Kind.allCases)
    func normalization(kind: Kind) throws {
        var request = try kind.make()
        for (user, password) in [("\u{E9}", "\u{E5}"), ("e\u{301}", "a\u{30A}")] {
            try request.setBasicAuthorization(user: user, password: password)
            #expect(request.value(forHTTPHeaderField: "Authorization") == "Basic w6k6w6U=")
        }
    }

    @Test("A colon in the user name is a typed error, which changes nothing", arguments: Kind.allCases)
    func colons(kind: Kind) throws {
        var request = try kind.make()
        try request.setBearerAuthorization("before")
        let url = (request as? URLRequest)?.url
        for user in ["secret:", ":", "secret:\u{301}"] {
            let error = #expect(throws: InvalidRequestError.self) {
                try request.setBasicAuthorization(user: user, password: "secret")
            }
            #expect(error == .colonInUserName(url: url))
            try check(error, of: kind)
        }
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer before")
    }

    @Test(
        "A control character is a typed error, which changes nothing", arguments: Kind.allCases,
        ["\r\n", "\n", "\0", "\u{1B}", "\u{7F}", "\u{85}"])
    func controls(kind: Kind, control: String) throws {
        var request = try kind.make()
        try request.setBearerAuthorization("before")
        let url = (request as? URLRequest)?.url, text = "secret\(control)"
        let works: [(inout any HTTPBodyHolding) throws -> Void] = [
            { try $0.setBasicAuthorization(user: text, password: "") },
            { try $0.setBasicAuthorization(user: "", password: text) },
            { try $0.setBasicAuthorization(user: "\t", password: "") },
            { try $0.setBearerAuthorization(text) },
        ]
        for work in works {
            let error = #expect(throws: InvalidRequestError.self) { try work(&request) }
            #expect(error == .controlCharacterInCredential(url: url))
            try check(error, of: kind)
        }
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer before")
    }

    /// Checks the text of an error.
    private func check(_ error: InvalidRequestError?, of kind: Kind) throws {
        let text = try #require(error?.localizedDescription)
        #expect(text.contains(kind == .url ? " https://a.com/posts?… " : " the request "))
        #expect(text.split(separator: ". ").count == 2 && !text.contains("secret") && !text.contains("pw@"))
    }

    @Test("A credential can be stored, and no text of it shows what it has")
    func credential() throws {
        let credential = BasicCredential(user: "Aladdin", password: "sesame")
        #expect(try JSONDecoder().decode(BasicCredential.self, from: JSONEncoder().encode(credential)) == credential)
        #expect("\(credential)" == "BasicCredential(<redacted>)")
        var texts = "\([credential])\(String(reflecting: credential))"
        dump(credential, to: &texts)
        #expect(!texts.contains("Aladdin") && !texts.contains("sesame"))
    }
}
