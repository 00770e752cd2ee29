import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The server's own error, and a body that can't be decoded", .timeLimit(.minutes(10)))
struct ServerErrorTests {
    private struct Problem: Codable, Equatable {
        var code: String
        var details: [String] = []
    }

    private let mebibyte = 1 << 20

    private func refused(_ body: Data?, status: StatusCode = .unprocessableEntity) throws -> UnacceptableStatusError {
        let response = Response.makeMockResponse(with: try fixtureRequest(), data: body, statusCode: status)
        return try #require(UnacceptableStatusError(response))
    }

    private func decodingError(of error: UnacceptableStatusError) throws -> ResponseDecodingError {
        try #require(throws: ResponseDecodingError.self) { try error.decode(Problem.self) }
    }

    @Test("An error of 100 KB is decoded, by any decoder")
    func long() throws {
        let problem = Problem(code: "invalid", details: (0..<10_000).map { "detail \($0)" })
        let body = try JSONEncoder().encode(problem)
        #expect(body.count > 100_000)
        let error = try refused(body)
        #expect(try error.decode(Problem.self) == problem)
        #expect(error.body == body && error.bodyLength == Int64(body.count))
        struct Dated: Decodable {
            let date: Date
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let dated = try refused(Data(#"{"date":7}"#.utf8)).decode(Dated.self, using: decoder)
        #expect(dated.date == Date(timeIntervalSince1970: 7))
    }

    @Test("Of a body that is known only in part nothing is decoded, even if that part is valid")
    func part() throws {
        let whole = Data(#"{"code":"invalid","details":[]}"#.utf8)
        let spaces = Data(repeating: UInt8(ascii: " "), count: mebibyte)
        #expect(try refused(whole + spaces.dropLast(whole.count)).decode(Problem.self).code == "invalid")
        let cut = try refused(whole + spaces)
        let error = try decodingError(of: cut)
        #expect(cut.body?.count == mebibyte && cut.bodyLength == Int64(whole.count + mebibyte))
        #expect(error.body == cut.body && error.bodyLength == cut.bodyLength)
        #expect(
            error.localizedDescription == """
                The response of GET https://example.com/posts (422) could not be decoded as Problem: only the first \
                1048576 bytes of its body are known. Use a data or an upload future without validation: its response \
                has the whole body, beside the status.
                """)
        let unknown = Response(response: try fixtureResponse("{}", statusCode: .gone), data: 7)
        let unread = try decodingError(of: #require(UnacceptableStatusError(unknown)))
        #expect(unread.body == nil && unread.bodyText == nil && unread.bodyLength == nil && unread.byteCount == 0)
        #expect(unread.localizedDescription.contains("only the first 0 bytes"))
    }

    @Test("What isn't the server's error is one of decoding, with the reason of the decoder, also if there is no body")
    func undecodable() throws {
        let page = try decodingError(of: refused(Data("<html>".utf8), status: .badGateway))
        #expect(page.method == "GET" && page.url?.absoluteString == "https://example.com/posts")
        #expect(page.statusCode == .badGateway && page.typeName == "Problem" && page.bodyText == "<html>")
        #expect(page.localizedDescription.hasSuffix("Compare the body, of 6 bytes, with the type."))
        let other = try decodingError(of: refused(Data("{}".utf8)))
        #expect(other.codingPath == "code")
        #expect(other.localizedDescription.hasSuffix("Correct the coding key, or make the property optional."))
        #expect(try decodingError(of: refused(nil)).body == Data())
    }

    @Test("The text of a body that is text in the first 4 KiB, or isn't, doesn't depend on the rest")
    func textOfLongBody() throws {
        let text = Data(String(repeating: "a", count: 4096).utf8), bytes = Data(count: 4096)
        let error = try refused(text + bytes)
        #expect(error.localizedDescription.hasSuffix(": \(String(repeating: "a", count: 500))…"))
        #expect(error.bodyText == nil)
        #expect(try refused(bytes + text).localizedDescription.hasSuffix("(8192 bytes that are no text)"))
    }

    @Test("A body that can't be decoded is kept with its headers, up to 1 MiB")
    func bodyOfDecodingError() throws {
        let page = "<html>Sign in to the network</html>"
        func error(_ body: String) throws -> ResponseDecodingError {
            let response = Response.makeMockResponse(
                with: try fixtureRequest(), data: Data(body.utf8), statusCode: .ok,
                headers: ["Content-Type": "text/html"])
            return try #require(throws: ResponseDecodingError.self) { try response.decode(Problem.self) }
        }
        let short = try error(page)
        #expect(short.headers["content-type"] == "text/html")
        #expect(short.body == Data(page.utf8) && short.bodyText == page)
        #expect(short.bodyLength == Int64(page.utf8.count) && short.byteCount == page.utf8.count)
        let long = try error("x" + String(repeating: "é", count: mebibyte / 2))
        #expect(long.body?.count == mebibyte && long.byteCount == mebibyte + 1)
        #expect(long.bodyLength == Int64(mebibyte + 1))
        // The last character is cut.
        #expect(long.bodyText?.utf8.count == mebibyte - 1)
        #expect(long.localizedDescription.hasSuffix("Compare the body, of 1048577 bytes, with the type."))
        let object = try #require(throws: ResponseDecodingError.self) {
            try fixtureResponse(page).decodeJSONObject()
        }
        #expect(object.bodyText == page)
        let file = try fixtureFileResponse(page)
        let local = try #require(throws: ResponseDecodingError.self) { try file.decode(Problem.self) }
        #expect(local.bodyText == page && Array(local.headers).isEmpty)
    }

    @Test("No text of an error of decoding shows the body or a header")
    func secrets() throws {
        let request = try fixtureRequest(), body = Data(#"{"note":"hidden"}"#.utf8)
        let response = Response.makeMockResponse(
            with: request, data: body, statusCode: .conflict, headers: ["Set-Cookie": "a=hidden"])
        let refused = try #require(UnacceptableStatusError(response))
        let errors = [
            try #require(throws: ResponseDecodingError.self) { try response.decode(Problem.self) },
            try #require(throws: ResponseDecodingError.self) { try refused.decode(Problem.self) },
        ]
        for error in errors {
            var dumped = ""
            dump(error, to: &dumped)
            let texts = ["\(error)", String(reflecting: error), dumped, "\(error.headers)"]
            #expect(!texts.contains { $0.contains("hidden") })
            #expect(Mirror(reflecting: error).children.isEmpty)
            #expect(error.bodyText?.contains("hidden") == true && error.headers["Set-Cookie"] == "a=hidden")
        }
    }

    @Test("An error doesn't retain the memory that the body is a part of")
    func memory() throws {
        let isFree = Locked(false)
        func makeError() throws -> UnacceptableStatusError {
            let count = 2 << 20, bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 7, count: count)
            let body = Data(
                bytesNoCopy: bytes, count: count,
                deallocator: .custom { bytes, _ in
                    bytes.deallocate()
                    isFree.withLock { $0 = true }
                })
            return try refused(body.prefix(1000))
        }
        let error = try makeError()
        #expect(isFree.withLock { $0 })
        #expect(error.body == Data(repeating: 7, count: 1000))
    }
}
