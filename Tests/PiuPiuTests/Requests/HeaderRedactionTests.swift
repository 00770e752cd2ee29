import PiuPiu
import Testing

@Suite("Redaction of headers", .timeLimit(.minutes(1)))
struct HeaderRedactionTests {
    @Test(
        "Headers that hold credentials are redacted, however they are written",
        arguments: [
            "Authorization", "authorization", "AUTHORIZATION", " Cookie ", "set-cookie", "Proxy-Authorization",
            "x-api-key", "X-Auth-Token", "X-CSRF-Token",
        ])
    func secrets(name: String) {
        #expect(HeaderRedaction.secrets.value("secret", ofHeader: name) == "<redacted>")
        #expect(HeaderRedaction.secrets.value("", ofHeader: name) == "<redacted>")
        #expect(HeaderRedaction.none.value("secret", ofHeader: name) == "secret")
    }

    @Test("Other headers are shown", arguments: ["Accept", "Content-Type", "Author", "WWW-Authenticate", ""])
    func others(name: String) {
        #expect(HeaderRedaction.secrets.value("text", ofHeader: name) == "text")
    }

    @Test("An app names the headers of its own")
    func own() {
        let redaction = HeaderRedaction(Set(["X-Ours"]))
        #expect(redaction.value("secret", ofHeader: "x-ours") == "<redacted>")
        #expect(redaction.value("shown", ofHeader: "Authorization") == "shown")
    }
}
