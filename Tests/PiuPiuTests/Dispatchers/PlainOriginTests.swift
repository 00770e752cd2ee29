import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("The origin of a plain URL", .timeLimit(.minutes(10)))
struct PlainOriginTests {
    @Test(
        "It is read from the text of the usual URLs",
        arguments: [
            ("http://host", "http://host:80"), ("https://host?a", "https://host:443"),
            ("https://a-b.c1#d", "https://a-b.c1:443"), ("http://127.0.0.1:8080/a:b@c", "http://127.0.0.1:8080"),
            ("http://host:65535", "http://host:65535"),
        ])
    func usual(text: String, origin: String) throws {
        #expect(try url(text).plainOrigin == origin)
        #expect(try url(text).origin == origin)
    }

    @Test(
        "Other URLs are left to Foundation",
        arguments: [
            "HTTP://host", "http://Host", "http://user@host", "http://user:1@host", "http://[::1]:80", "http://h%6Fst",
            "http://host:080", "http://host:", "http://host:123456", "http:///a", "http:host", "ftp://host", "host",
            "http://ho_st", "http://xn--4ca", "http://ä", "http://host:8a", "http://:80",
        ])
    func others(text: String) throws {
        guard let url = URL(string: text) else { return }
        #expect(url.plainOrigin == nil && !url.hasPlainOrigin)
    }

    @Test("It is that of Foundation's parts", arguments: 1...8 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var count = 0
        for _ in 0..<2_000 {
            let beginning = Self.schemes.randomElement(using: &random) ?? ""
            guard let url = URL(string: beginning + Self.text(&random)) else { continue }
            #expect(url.isSecure == (url.scheme?.lowercased() == "https"), "seed \(seed): \(url)")
            let isPlainlyWeb = ["http://", "https://"].contains { url.absoluteString.hasPrefix($0) }
            #expect(url.isPlainlyWeb == isPlainlyWeb, "seed \(seed): \(url)")
            guard let origin = url.plainOrigin else { continue }
            count += 1
            let host = url.host(percentEncoded: true) ?? "", scheme = url.scheme ?? ""
            #expect(
                origin == "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))", "seed \(seed): \(url)")
            #expect(url.user() == nil && host == host.lowercased(), "seed \(seed): \(url)")
        }
        #expect(count > 100)
    }

    private static let schemes = ["http://", "https://", "http://", "https://", "HTTPS://", "https:", "ftp://"]

    private static func text(_ random: inout SeededGenerator) -> String {
        let characters = Array("aaabz019.-::0/?#@[%AÄ")
        let count = Int.random(in: 0...9, using: &random)
        return String((0..<count).compactMap { _ in characters.randomElement(using: &random) })
    }
}
