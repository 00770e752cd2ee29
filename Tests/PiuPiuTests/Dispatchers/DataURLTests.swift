import Foundation
import PiuPiu
import Testing

@Suite("Data URLs", .timeLimit(.minutes(10)))
struct DataURLTests {
    @Test(
        arguments: [
            ("data:,A%20brief%20note", "text/plain", "US-ASCII", "A brief note"),
            ("data:text/html;charset=utf-8,%3Cp%3E", "text/html", "utf-8", "<p>"),
            ("data:text/plain;base64,SGVsbG8=", "text/plain", nil, "Hello"),
            ("data:;base64,SGVsbG8", "text/plain", "US-ASCII", "Hello"),
            ("DATA:application/json;BASE64,e30%3D", "application/json", nil, "{}"),
            ("data:application/json,{}", "application/json", nil, "{}"),
            ("data:,a,b", "text/plain", "US-ASCII", "a,b"),
            ("data:,", "text/plain", "US-ASCII", ""),
            ("data:,a#b", "text/plain", "US-ASCII", "a"),
        ] as [(String, String, String?, String)])
    func wellFormed(text: String, type: String, charset: String?, content: String) throws {
        let parsed = try #require(DataURL(text))
        #expect(parsed.mimeType == type)
        #expect(parsed.charset == charset)
        #expect(parsed.content == Data(content.utf8))
    }

    @Test func bytesNeedNotBeText() {
        #expect(DataURL("data:application/octet-stream,%FF%00%fe")?.content == Data([0xFF, 0, 0xFE]))
    }

    @Test(arguments: [
        "data:", "data:text/plain", "data:,%", "data:,%2", "data:,%zz", "data:;base64,!!!", "data:;base64,A",
        "data:text,x", "data:a/b/c,x", "http://host/,",
    ])
    func malformed(text: String) {
        #expect(DataURL(text) == nil)
    }
}
