import Foundation
import PiuPiu
import Testing

/// Rules that random inputs are unlikely to reach.
@Suite("Parsers of our own, rule by rule", .timeLimit(.minutes(10)))
struct ParserRuleTests {
    @Test(
        "RFC 6265, 5.1.1: the date of a cookie",
        arguments: [
            ("08:49:37 06 Nov 1994", 784_111_777), ("06@Nov@1994@08:49:37", 784_111_777),
            ("08:49:37 06 Nov 1994 10:00:00", 784_111_777), ("00:00:00 01 Jan 70", 0),
            ("00:00:00 01 Jan 69", 3_124_224_000), ("00:00:00 01 Jan 99", 915_148_800),
            ("00:00:00 01 Jan 1601", -11_644_473_600), ("00:00:00 01 Jan 1600", nil), ("00:00:00 01 Jan 7", nil),
            ("08:49:60 06 Nov 1994", nil),
        ] as [(String, TimeInterval?)])
    func cookieDate(text: String, seconds: TimeInterval?) {
        #expect(CookieDate.date(of: text)?.timeIntervalSince1970 == seconds)
    }

    @Test("A name with a space begins no new cookie")
    func cookieLines() {
        #expect(SetCookie.lines(in: "a=b, c d=e, f=g") == ["a=b, c d=e", " f=g"])
    }

    @Test("RFC 7468: a block ends with its own label, and once")
    func pem() {
        let block = "-----BEGIN A-----\nAAAA\n-----END A-----\n"
        #expect(PEMBlock.all(in: block + "-----END A-----\n").count == 1)
        #expect(PEMBlock.all(in: block.replacing("END A", with: "END B")).isEmpty)
    }

    @Test("RFC 5280, 4.1: a certificate has three parts, and its key is a sequence")
    func certificate() {
        func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
        func key(_ key: [UInt8], _ rest: [UInt8]...) -> Data? {
            let fields = (0..<5).flatMap { _ in der(2, [1]) }
            let certificate = der(0x30, der(0x30, fields + key) + rest.flatMap(\.self))
            return DERValue.publicKeyInfo(ofCertificate: Data(certificate))
        }
        let sequence = der(0x30, []), bits = der(3, [0])
        #expect(key(sequence, sequence, bits) == Data(sequence))
        #expect(key(sequence, bits) == nil)
        #expect(key(sequence, sequence, bits, bits) == nil)
        #expect(key(bits, sequence, bits) == nil)
        #expect(key([], sequence, bits) == nil)
    }

    @Test("RFC 9110, 8.6: a repeated length counts only if both are the same")
    func lengths() {
        #expect(AnnouncedLength(["5", "5"], isCoded: false, isChunked: false) == .bytes(5))
        #expect(AnnouncedLength(["5", "6"], isCoded: false, isChunked: false) == .invalid)
    }
}
