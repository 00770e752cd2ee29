import PiuPiu
import Testing

@Suite("Redaction of headers", .timeLimit(.minutes(10)))
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

    @Test(
        "A header that is a URL is shown without its secrets", arguments: ["Location", "content-location", "REFERER"])
    func urls(name: String) {
        let url = "https://u:p@example.com/a?b=1&access_token=s#id_token=t"
        #expect(
            HeaderRedaction.secrets.value(url, ofHeader: name)
                == "https://<redacted>@example.com/a?b=1&access_token=<redacted>#id_token=<redacted>")
        #expect(HeaderRedaction.none.value(url, ofHeader: name) == url)
        #expect(HeaderRedaction([name]).value(url, ofHeader: name) == "<redacted>")
    }

    @Test(
        "Of a Link each URL is shown without its secrets (RFC 8288, 3)",
        arguments: [
            ("<https://a/?page=2>; rel=next", "<https://a/?page=2>; rel=next"),
            (
                "<https://a/?page=2>; rel=next, <https://b/?token=s#a=b>; rel=last",
                "<https://a/?page=2>; rel=next, <https://b/?token=<redacted>#a=b>; rel=last"
            ),
            (
                "<https://u:p@a/?sig=s&b=1>;title=\"?token=t\", <c>",
                "<https://<redacted>@a/?sig=<redacted>&b=1>;title=\"?token=<redacted>\", <c>"
            ),
            (
                "<https://a/>; rel=\"x\"; anchor=\"https://b/?token=s\"; a",
                "<https://a/>; rel=\"x\"; anchor=\"https://b/?token=<redacted>\"; a"
            ),
            ("https://b/?token=s, <c>", "https://b/?token=<redacted><c>"),
            ("<a>, <https://b/?token=s", "<a>, <https://b/?token=<redacted>"), ("?token=s", "?token=<redacted>"),
            ("", ""), ("<>", "<>"), (">", ">"),
        ])
    func links(value: String, expected: String) {
        #expect(HeaderRedaction.secrets.value(value, ofHeader: "link") == expected)
        #expect(HeaderRedaction.none.value(value, ofHeader: "Link") == value)
    }

    @Test("A hundred thousand nested URLs don't overflow the stack")
    func nested() {
        let url = String(repeating: "/?location=", count: 100_000)
        #expect(HeaderRedaction.secrets.value(url, ofHeader: "Location") == url)
    }

    @Test("An app names the headers of its own")
    func own() {
        let redaction = HeaderRedaction(Set(["X-Ours"]))
        #expect(redaction.value("secret", ofHeader: "x-ours") == "<redacted>")
        #expect(redaction.value("shown", ofHeader: "Authorization") == "shown")
    }
}
