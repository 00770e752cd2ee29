import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

/// A parser of the package, with inputs that are close to its syntax.
struct FuzzedParser: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// Pieces of which inputs are made.
    let pieces: [[UInt8]]

    /// Whole inputs that are damaged.
    let examples: [[UInt8]]

    /// Parses, and throws a ``FuzzFailure`` if the result can't be right.
    let parse: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, pieces: [String], examples: [String] = [], _ parse: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        testDescription = name
        self.pieces = pieces.map { Array($0.utf8) }
        self.examples = examples.map { Array($0.utf8) }
        self.parse = parse
    }

    /// An input of some hundred bytes: pieces and bytes at random, or an example with some damage.
    func input(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        if Bool.random(using: &random), let example = examples.randomElement(using: &random) {
            bytes = example
        } else {
            for _ in 0..<Int.random(in: 0...40, using: &random) { bytes += piece(&random) }
            return bytes
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...4, using: &random))
            bytes.replaceSubrange(start..<end, with: Bool.random(using: &random) ? piece(&random) : [])
        }
        return bytes
    }

    private func piece(_ random: inout SeededGenerator) -> [UInt8] {
        Int.random(in: 0..<8, using: &random) == 0
            ? [.random(in: 0...255, using: &random)] : pieces.randomElement(using: &random) ?? []
    }
}

/// The result of a parser that can't be right.
struct FuzzFailure: Error {
    let reason: String
}

extension FuzzedParser {
    /// The text of any bytes.
    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The text without line feeds, also those that make one character with a return.
    private static func singleLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" }))
    }

    static func check(_ isRight: Bool, _ reason: @autoclosure () -> String) throws {
        if !isRight { throw FuzzFailure(reason: reason()) }
    }

    static let all =
        [
            httpDate, cookieDate, setCookie, setCookieLines, der, pem, dataURL, base64, events, lines, head, curlHead,
            length,
        ]
        + [rfc3339, members, locations, recording] + cacheFields + transferFields

    private static let days = [
        "Sun", "Sunday", ", ", "06", "6", " ", "-", "Nov", "nov", "1994", "94", ":", "08:49:37", "GMT",
    ]

    private static let httpDate = FuzzedParser(
        "HTTP dates", pieces: days,
        examples: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
    ) { bytes in
        guard let date = HTTPDate(anyForm: text(bytes), now: 1_767_225_600) else { return }
        try check(date.seconds.isFinite && abs(date.seconds) < 4e11, "\(date)")
        let lowered = HTTPDate(anyForm: text(bytes).lowercased(), now: 1_767_225_600)
        try check(lowered == date, "\(date) depends on the case of the names")
        try check(HTTPDate(anyForm: date.text, now: 0) == date, "\(date.text) isn't read again")
    }

    private static let cookieDate = FuzzedParser(
        "Dates of cookies", pieces: days + ["9:9:9", "31", "Feb"],
        examples: ["Wed, 09 Jun 2021 10:18:14 GMT", "1:2:3 4 jan 70"]
    ) { bytes in
        guard let date = CookieDate.date(of: text(bytes)) else { return }
        try check((-11_644_473_600..<253_402_300_800).contains(date.timeIntervalSince1970), "\(date)")
    }

    private static let setCookie = FuzzedParser(
        "Set-Cookie",
        pieces: ["a", "=", ";", "; ", "\"", ",", "Expires=", "Max-Age=", "-", "9", "Path=/", "Domain=", ".", " "],
        examples: [
            "a=b; Path=/; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Max-Age=10; Secure; HttpOnly; Domain=.example.com"
        ]
    ) { bytes in
        guard let cookie = SetCookie(text(bytes)) else { return }
        try check(!cookie.name.isEmpty && !cookie.name.contains("="), "a name \(cookie.name)")
        // By bytes: a Greek question mark is the same character.
        try check(!cookie.value.utf8.contains(UInt8(ascii: ";")), "a value \(cookie.value)")
    }

    private static let setCookieLines = FuzzedParser(
        "Set-Cookie lines in one", pieces: ["a=b", ",", ", ", ";", "=", " ", "Expires=Wed, 09 Jun 2021"]
    ) { bytes in
        let joined = text(bytes)
        try check(SetCookie.lines(in: joined).joined(separator: ",") == joined, "something is lost")
    }

    private static let der = FuzzedParser(
        "DER", pieces: ["0", "0\u{2}\u{1}\u{1}", "\u{2}\u{1}\u{5}", "\u{5}\0", "0\0", "\u{1}"],
        examples: ["0\u{17}0\u{12}\u{2}\u{1}\u{1}0\00\00\00\00\u{3}\u{3}\u{1}\00\0\u{3}\u{1}\0"]
    ) { bytes in
        // Long lengths too, which text can't have.
        for bytes in [bytes, bytes.map { $0 == 1 ? 0x82 : $0 }] {
            guard let key = DERValue.publicKeyInfo(ofCertificate: Data(bytes)) else { continue }
            try check(!key.isEmpty && Data(bytes).range(of: key) != nil, "a key that isn't there")
        }
    }

    private static let pem = FuzzedParser(
        "PEM",
        pieces: [
            "-----BEGIN A-----", "-----END A-----", "\n", "\r\n", "AAAA", "=", "-----", "a: b", " ", "-----BEGIN ",
        ],
        examples: ["-----BEGIN A-----\nProc-Type: 4\n\nAAAA\nAA==\n-----END A-----\n"]
    ) { bytes in
        for block in PEMBlock.all(in: text(bytes)) where block.content != nil {
            let again = PEMBlock.all(in: block.text)
            try check(again.count == 1 && again.first?.label == block.label, "\(block.text) isn't read again")
            try check(again.first?.content == block.content, "other bytes in \(block.text)")
        }
    }

    private static let dataURL = FuzzedParser(
        "Data URLs",
        pieces: ["data:", ",", ";", "base64", "charset=", "\"", "\\", "text/plain", "/", "%", "%41", "=", " ", "#"],
        examples: ["data:text/plain;charset=\"a b\";a=b;base64,SGVsbG8=", "data:,%41%4", "data:; base64 ,SGVs"]
    ) { bytes in
        guard let url = DataURL(text(bytes)) else { return }
        try check(url.mimeType.contains("/") && url.content.count <= bytes.count * 3, "\(url)")
        let written = url.mediaType.description
        try check(MediaType(Array(written.utf8)[...]) == url.mediaType, "\(written) isn't read again")
    }

    private static let base64 = FuzzedParser("Base64", pieces: ["A", "AAAA", "AA==", "=", " ", "/", "+", "-"]) {
        bytes in
        let encoded = Array(Data(bytes).base64EncodedString().utf8)
        try check(ForgivingBase64.decoded(encoded) == bytes, "what was encoded isn't decoded")
        guard let decoded = ForgivingBase64.decoded(bytes) else { return }
        try check(decoded.count <= bytes.count / 4 * 3 + 2, "more than there can be")
    }

    private static let events = FuzzedParser(
        "Server-sent events",
        pieces: ["data", ":", " ", "\n", "\r", "\r\n", "id", "event", "retry", "9", "\u{FEFF}", "\n\n"],
        examples: ["id: 1\nevent: a\ndata: b\ndata\n\nretry: 10\n\n"]
    ) { bytes in
        var (whole, single) = (ServerSentEventParser(), ServerSentEventParser())
        var (events, one): ([ServerSentEvent], [ServerSentEvent]) = ([], [])
        try whole.append(bytes, to: &events)
        for byte in bytes { try single.append(CollectionOfOne(byte), to: &one) }
        try check(events == one, "how it is cut makes a difference")
    }

    private static let lines = FuzzedParser(
        "Lines", pieces: ["a", "\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "é"]
    ) { bytes in
        var (parser, lines) = (LineParser(), [String]())
        try parser.append(bytes, to: &lines)
        if let last = try parser.finish() { lines.append(last) }
        try check(!lines.contains("") && !lines.contains { $0.contains("\n") }, "an end in a line")
    }

    private static let head = FuzzedParser(
        "Heads", pieces: ["a", ":", "\n", "\r", ", ", "Content-Length", "ETag", "\"", " ", "é"]
    ) { bytes in
        let parts = bytes.split(separator: 0x3A).map { text(Array($0)) }
        let fields = zip(parts, parts.dropFirst()).map { (name: singleLine($0), value: $1) }
        let head = TransferHead(url: URL(filePath: "/"), status: 200, fields: fields)
        guard let name = head.fields.first?.name else { return }
        try check(head.fields.count == fields.count, "fields are lost")
        let values = head.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        if name.utf8.allSatisfy({ $0 < 0x80 }) { try check(head.values(for: name) == values, "values are lost") }
    }

    private static let length = FuzzedParser(
        "Content-Length", pieces: ["0", "9", "99999999", " ", ",", "-", "+", "\t", "5, 5"]
    ) { bytes in
        try check(AnnouncedLength([text(bytes)], isCoded: false, isChunked: false).value ?? 0 >= 0, "less than nothing")
    }

    private static let rfc3339 = FuzzedParser(
        "RFC 3339", pieces: ["2021", "-", "06", "T", ":", ".", "5", "Z", "+", "24", " "],
        examples: ["2021-06-09T10:18:14.5Z", "1582-10-15t00:00:60,999+01:00", "9999-12-31T23:59:59-0100"]
    ) { bytes in
        guard let date = try? RFC3339DateTransform().from(json: text(bytes), codingPath: []) else { return }
        try check(date.timeIntervalSince1970.isFinite, "\(date)")
    }

    private static let members = FuzzedParser(
        "Secrets in JSON",
        pieces: ["\"token\"", "\"", ":", ",", "{", "}", "[", "]", "\\", "\\\"", "1", "true", " ", "token", "x"],
        examples: [#"{"a": 1, "token": "b", "password": {"c": ["d", -1.5, null]}}"#]
    ) { bytes in
        // Whatever stands before it, a secret doesn't survive.
        let secret = "abc0123456789xyz", noise = text(bytes) + "{\"token\": \"\(secret)\"}"
        let redacted = text(SecretMembers.redacted(Array(noise.utf8), keepsTypes: true, where: SecretName.isSecret))
        try check(!redacted.contains(secret), "\(noise) becomes \(redacted)")
    }

    private static let locations = FuzzedParser(
        "Secrets in URLs",
        pieces: ["https://", "//", "a", "@", ":", "/", "?", "&", "=", "#", "token=", "%74oken", "%"],
        examples: ["https://user:pass@example.com/a?token=b&c=d#access_token=e"]
    ) { bytes in
        let redacted = HeaderRedaction.secrets.value(text(bytes), ofHeader: "Location")
        try check(HeaderRedaction.secrets.value(redacted, ofHeader: "Location") == redacted, "\(redacted) changes")
    }

    private static let recording = FuzzedParser(
        "Recordings",
        pieces: ["{", "}", "[", "]", "\"", ":", ",", "\"version\"", "1", "\"exchanges\"", "\"request\"", "null"],
        examples: [
            #"{"version":1,"exchanges":[{"request":{"method":"GET","url":"https://a.b/"},"response":{"status":200}}]}"#
        ]
    ) { bytes in
        do { _ = try TrafficRecording(data: Data(bytes)) } catch is RecordingFileError {}
    }

    private static let curlHead = FuzzedParser(
        "Lines of a head",
        pieces: ["HTTP/1.1 200 OK\r\n", "HTTP/", "a: b\r\n", "\r\n", " ", "\t", ":", "\n", "é", "100"],
        examples: [
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n \r\n\t\nB:\r\n c\r\nTransfer-Encoding:\r\n chunked\r\n\r\n",
        ]
    ) { bytes in
        #if canImport(CPiuPiuCurl)
            var head = CurlHead(URL(filePath: "/"))
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                // libcurl passes on lines with their ends.
                let line = line + [0x0A]
                guard let taken = line.withUnsafeBytes({ head.take($0) }) else { continue }
                try check(((taken.status ?? 0) >= 200) == head.isComplete, "an interim response as the final one")
                try check(line.first == 0x0D || line.count == 1, "a head that ends with a line that isn't empty")
            }
        #endif
    }
}
