import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Markdown of arbitrary requests and responses", .timeLimit(.minutes(10)))
struct MarkdownPropertyTests {
    @Test("A body never escapes from its fence, and is read back as it was", arguments: 0..<40 as Range<UInt64>)
    func fence(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let body = randomBody(&random)
            let limit = Bool.random(using: &random) ? nil : Int.random(in: 0...body.count + 2, using: &random)
            let response = try Response.makeMockResponse(
                with: fixtureRequest(), data: body, statusCode: .ok, headers: randomHeaders(&random))
            let text = response.makeResponseMarkdown(bodyLimit: limit)
            guard !body.isEmpty else { continue }
            let read = try #require(FencedBody(readFrom: text), "seed \(seed): \(text.debugDescription)")
            let isCut = limit.map { $0 < body.count } ?? false
            #expect(body.starts(with: read.bytes), "seed \(seed): \(text.debugDescription)")
            #expect(
                read.bytes.count >= min(body.count, (limit ?? .max) - (isCut ? 3 : 0)),
                "seed \(seed): \(body as NSData)")
            #expect(read.bytes.count <= limit ?? .max, "seed \(seed): \(text.debugDescription)")
            #expect(
                read.after == (isCut ? ["(The first \(read.bytes.count) of \(body.count) bytes.)"] : []),
                "seed \(seed): \(text.debugDescription)")
            #expect(read.before.first == "## RESPONSE" && read.before.last == "### Body", "seed \(seed)")
            #expect(read.before.dropFirst(3).dropLast().allSatisfy { $0.hasPrefix("* ") }, "seed \(seed)")
        }
    }

    @Test(
        "Any request is shown without a crash, on as many lines as it has headers", arguments: 0..<20 as Range<UInt64>)
    func requests(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var request = try fixtureRequest()
            request.httpMethod = randomText(&random)
            if let url = URL(string: "https://example.com/" + randomText(&random)) { request.url = url }
            request.allHTTPHeaderFields = randomHeaders(&random)
            let head = try #require(
                HTTPURLResponse(url: URL(fixture: "https://a.b"), statusCode: 200, httpVersion: nil, headerFields: nil))
            let text = HTTPResponse<Data?>(data: nil, urlRequest: request, httpResponse: head).makeRequestMarkdown()
            let headers = request.allHTTPHeaderFields ?? [:]
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            #expect(
                lines.count == 2 + (headers.isEmpty ? 0 : headers.count + 1), "seed \(seed): \(text.debugDescription)")
        }
    }

    private static let fragments = [
        "`", "``", "```", "````", "~~~", "\n", "\r", "\r\n", "\n```\n", "\n````\n", "   ```", "\t", " ", "a", "é", "😀",
        "\u{2028}", "{", "}", "\"", "## RESPONSE", "\n### Body\n", "(The first", "\u{FEFF}", "\u{85}", "\u{0}",
        "\u{1B}",
    ]

    private func randomText(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...8, using: &random))
            .map { _ in Self.fragments.randomElement(using: &random) ?? "" }.joined()
    }

    private func randomHeaders(_ random: inout SeededGenerator) -> [String: String] {
        (0..<Int.random(in: 0...3, using: &random)).reduce(into: [:]) { headers, index in
            headers["X-\(index)"] = randomText(&random)
        }
    }

    private func randomBody(_ random: inout SeededGenerator) -> Data {
        var body = Data(randomText(&random).utf8)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: body = body.dropFirst(Int.random(in: 0...2, using: &random))
        case 1: body.append(UInt8.random(in: 0...255, using: &random))
        default: break
        }
        return body
    }
}

/// The body in a text in Markdown, read by CommonMark's rule for fences (section 4.5).
private struct FencedBody {
    var before: [String] = []
    var bytes = Data()
    var after: [String] = []

    init?(readFrom text: String) {
        // Scalars: "\r\n" is one character. A lone "\r" ends a line too; here it is kept apart from "\n" to get the
        // bytes back.
        var fence: String.UnicodeScalarView.SubSequence?
        var content: [Substring.UnicodeScalarView] = []
        var info = ""
        var isClosed = false
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            if isClosed {
                after.append(String(line))
            } else if let fence {
                let parts = line.split(separator: "\r", omittingEmptySubsequences: false)
                let closes = parts.map { Self.closes($0, fence) }
                isClosed = closes == [true]
                if !isClosed {
                    if closes.contains(true) { return nil }
                    content.append(line)
                }
            } else if line.starts(with: "```".unicodeScalars) {
                fence = line.prefix { $0 == "`" }
                info = String(line.drop { $0 == "`" })
            } else {
                before.append(String(line))
            }
        }
        guard isClosed else { return nil }
        let body = content.map(String.init).joined(separator: "\n")
        guard let data = info == "base64" ? Data(base64Encoded: body) : Data(body.utf8) else { return nil }
        bytes = data
    }

    /// Up to three spaces, at least as many backticks as the opening fence, and nothing but white space behind.
    private static func closes(
        _ line: Substring.UnicodeScalarView, _ fence: Substring.UnicodeScalarView
    ) -> Bool {
        let indented = line.drop { $0 == " " }
        let rest = indented.drop { $0 == "`" }
        return line.count - indented.count <= 3 && indented.count - rest.count >= fence.count
            && rest.allSatisfy { $0 == " " || $0 == "\t" }
    }
}
