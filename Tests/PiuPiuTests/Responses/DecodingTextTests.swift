import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The text of a body in the charset of its type", .timeLimit(.minutes(10)))
struct DecodingTextTests {
    private func response(_ body: [UInt8], type: String?) throws -> Response<Data?> {
        Response.makeMockResponse(
            with: try fixtureRequest(), data: Data(body), statusCode: .ok,
            headers: type.map { ["Content-Type": $0] } ?? [:])
    }

    @Test(
        "Charsets mean what they mean to browsers",
        arguments: [
            ("utf-8", [0xC3, 0xA9], "é"), ("UTF8", [0xC3, 0xA9], "é"), ("iso-8859-1", [0xE9, 0x80], "é€"),
            ("us-ascii", [0x41, 0x93], "A“"), ("windows-1252", [0x99, 0x81, 0xFF], "™\u{81}ÿ"),
            ("latin1", [0xE9], "é"), ("iso-8859-2", [0xB1, 0xE6], "ąć"), ("windows-1250", [0xB9, 0x9C], "ąś"),
            ("windows-1251", [0xEF, 0xF0], "пр"), ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B, 0xB1], "日本ｱ"),
            ("utf-16", [0x41, 0, 0xAC, 0x20], "A€"), ("utf-16le", [0xAC, 0x20], "€"), ("utf-16be", [0x20, 0xAC], "€"),
            ("unheard-of", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)])
    func charsets(charset: String, body: [UInt8], text: String) async throws {
        for type in ["text/plain; charset=\(charset)", "text/html;a=b;Charset=\"\(charset)\""] {
            let response = try response(body, type: type)
            #expect(try response.decodeText() == text)
            #expect(try response.decodedText().data == text)
            #expect(try response.makeHTTPResponse().decodedText().data == text)
            let future = ResponseFuture(result: response)
            #expect(try await future.decodedText().value.data == text)
            #expect(try await future.makeHTTPResponse().decodedText().value.data == text)
        }
    }

    @Test("Without a charset, or without a type, the text is UTF-8", arguments: ["text/html", "charset=latin1", nil])
    func noCharset(type: String?) throws {
        #expect(try response([0xC3, 0xA9], type: type).decodeText() == "é")
    }

    @Test(
        "A byte order mark counts more than the charset, and isn't a part of the text",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x41], "A"), ([0xFE, 0xFF, 0x20, 0xAC], "€"), ([0xFF, 0xFE, 0xAC, 0x20], "€"),
        ] as [([UInt8], String)])
    func mark(body: [UInt8], text: String) throws {
        for charset in ["latin1", "utf-16be", "utf-16le", "utf-8"] {
            let decoded = try response(body, type: "text/plain; charset=\(charset)").decodeText()
            #expect(decoded.unicodeScalars.elementsEqual(text.unicodeScalars))
        }
    }

    @Test(
        "Bytes that are no text in the charset are an error",
        arguments: [
            ("utf-8", [0xC3], .utf8), ("unheard-of", [0xE9], .utf8), ("shift_jis", [0x93], .shiftJIS),
            ("utf-16", [0x41, 0, 0x41], .utf16LittleEndian), ("utf-16be", [0xD8, 0, 0, 0x41], .utf16BigEndian),
        ] as [(String, [UInt8], String.Encoding)])
    func undecodable(charset: String, body: [UInt8], encoding: String.Encoding) throws {
        let response = try response(body, type: "text/plain; charset=\(charset)")
        #expect(throws: ResponseError.failedToDecodeDataToString(encoding: encoding)) { try response.decodeText() }
    }

    @Test("Without a body there is no text")
    func noBody() throws {
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response([], type: nil).decodeText() }
    }

    @Test("A response without HTTP names its charset in its head")
    func withoutHTTP() throws {
        let url = try URL(fixture: "file:///tmp/page.html")
        let head = URLResponse(url: url, mimeType: "text/html", expectedContentLength: 1, textEncodingName: "latin1")
        let response = Response(data: Data([0xE9]) as Data?, urlRequest: URLRequest(url: url), urlResponse: head)
        #expect(try response.decodeText() == "é")
    }

    @Test("Joined responses are decoded each in its own charset")
    func joined() async throws {
        let latin = ResponseFuture(result: try response([0xE9], type: "text/plain; charset=latin1"))
        let plain = ResponseFuture(result: try response([0xC3, 0xA9], type: nil))
        let pair = try await latin.join(plain).decodedText().value
        #expect(pair.0.data == "é" && pair.1.data == "é")
        let http = try await latin.join(plain).makeHTTPResponse().decodedText().value
        #expect(http.0.data == "é" && http.1.data == "é")
        let many = ResponseFuture<[Response<Data?>]>(childFutures: [latin, plain])
        #expect(try await many.decodedText().value.map(\.data) == ["é", "é"])
        #expect(try await many.makeHTTPResponse().decodedText().value.map(\.data) == ["é", "é"])
    }
}
