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

    @Test("Names of one's own can be added to the secrets, or stand alone")
    func ownNames() throws {
        let added = HeaderRedaction.secrets.adding(["X-Customer", "iban"])
        for name in ["x_customer", "IBAN", "Authorization", "Cookie"] {
            #expect(added.value("secret", ofHeader: name) == "<redacted>")
        }
        #expect(added.value("text", ofHeader: "Accept") == "text")
        #expect(
            try url("https://h/?iban=1&token=2&a=3").text(redacting: added)
                == "https://h/?iban=<redacted>&token=<redacted>&a=3")
        #expect(HeaderRedaction(["iban"]).value("secret", ofHeader: "Authorization") == "secret")
        #expect(HeaderRedaction.none.adding(["iban"]).value("1", ofHeader: "IBAN") == "<redacted>")
        #expect(HeaderRedaction.none.adding(["iban"]).value("secret", ofHeader: "Cookie") == "secret")
    }

    @Test(
        "A header that is a URL is shown without its secrets",
        arguments: ["Location", "content-location", "REFERER", "Destination", "SourceMap"])
    func urls(name: String) {
        let url = "https://u:p@example.com/a?b=1&access_token=s#id_token=t"
        #expect(
            HeaderRedaction.secrets.value(url, ofHeader: name)
                == "https://<redacted>@example.com/a?b=1&access_token=<redacted>#id_token=<redacted>")
        #expect(HeaderRedaction.none.value(url, ofHeader: name) == url)
        #expect(HeaderRedaction([name]).value(url, ofHeader: name) == "<redacted>")
    }

    @Test(
        "URLs in any header are shown without their secrets, and the rest as it is",
        arguments: [
            ("(<https://u:p@h/b?sid=s>), </a?sid=s>", "(<https://<redacted>@h/b?sid=<redacted>>), </a?sid=<redacted>>"),
            ("img-src https://h; report-uri /r?key=s&a=1", "img-src https://h; report-uri /r?key=<redacted>&a=1"),
            (#"{"url":"https:\/\/h\/?token=s&a=1"}"#, #"{"url":"https:\/\/h\/?token=<redacted>&a=1"}"#),
            (#"Bearer realm="https://h/t",token="s""#, #"Bearer realm="https://h/t",token="s""#),
            ("multipart/form-data; boundary=a&token=b", "multipart/form-data; boundary=a&token=b"),
            ("Mozilla/5.0 (key=1; token=2)", "Mozilla/5.0 (key=1; token=2)"), ("what?token=1", "what?token=1"),
        ])
    func urlsAnywhere(value: String, expected: String) {
        #expect(HeaderRedaction.secrets.value(value, ofHeader: "X-Text") == expected)
        #expect(HeaderRedaction.none.value(value, ofHeader: "X-Text") == value)
    }

    @Test(
        "A location with backslashes or tabs is shown without the secrets that it has in a browser",
        arguments: [
            (#"\\u:p@h\a?token=s"#, "//<redacted>@h/a?token=<redacted>"), ("/\t/u:p@h/a", "//<redacted>@h/a"),
            (#"https:\\u:p@h"#, "https://<redacted>@h"), ("/a?to\tken=s", "/a?to\tken=<redacted>"),
            (#"//u\v:p@h/"#, "//<redacted>@h/"),
            (#"https://u:p\q@h/?token=s"#, "https://<redacted>@h/?token=<redacted>"),
            (#"\a?b=\c"#, #"\a?b=\c"#), (#"app:\\u:p@h"#, #"app:\\u:p@h"#),
        ])
    func browserLocations(value: String, expected: String) {
        #expect(HeaderRedaction.secrets.value(value, ofHeader: "Location") == expected)
        #expect(HeaderRedaction.none.value(value, ofHeader: "Location") == value)
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
