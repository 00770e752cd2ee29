import Foundation
import PiuPiu
import Testing

@Suite("HTTP cache: keys", .timeLimit(.minutes(10)))
struct CacheKeyTests {
    @Test(
        "K1 KEY: the URI in its normal form, however it is written",
        arguments: [
            ("http://host/a", "http://host/a"), ("https://host/a?b=C/D", "https://host/a?b=C/D"),
            ("HTTP://HOST/A", "http://host/A"), ("http://Host/A", "http://host/A"), ("http://host", "http://host/"),
            ("http://host?a", "http://host/?a"), ("http://host/a#b", "http://host/a"),
            ("http://host#b", "http://host/"),
            ("http://host:80/a", "http://host/a"), ("https://host:443/a", "https://host/a"),
            ("https://host:80/a", "https://host:80/a"), ("http://host:443/a", "http://host:443/a"),
            ("http://host:8080/a", "http://host:8080/a"), ("http://host:/a", "http://host/a"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"), ("http://[::1]:80/a", "http://[::1]/a"),
            ("http://User:Pass@Host/a", "http://host/a"), ("http://host/%2F", "http://host/%2F"),
            ("http://my-host.example/a", "http://my-host.example/a"),
        ])
    func normalForm(text: String, key: String) throws {
        #expect(CacheKey.uri(of: try url(text)) == key)
    }

    @Test("K1 KEY: a URL without a host has no key", arguments: ["file:///a", "data:,a", "mailto:a@b"])
    func none(text: String) throws {
        #expect(CacheKey.uri(of: try url(text)) == nil)
    }
}
