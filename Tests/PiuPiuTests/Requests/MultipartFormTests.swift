import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Multipart forms", .timeLimit(.minutes(10)))
struct MultipartFormTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func form(boundary: String = "B") throws -> MultipartForm {
        var form = try MultipartForm(boundary: boundary)
        form.append(text: "a\nb", forName: "text")
        form.append(data: Data([0, 0xFF]), forName: "data")
        form.append(file: try folder.file("f.txt", containing: "content"), forName: "file", contentType: "text/plain")
        return form
    }

    private func streamed(_ form: MultipartForm) async throws -> Data {
        try await form.body().collected()
    }

    @Test("Texts, data and files are parts, in memory as in the stream, and the length is exact")
    func bytes() async throws {
        let form = try form()
        let head = """
            --B\r
            Content-Disposition: form-data; name="text"\r
            \r
            a\nb\r
            --B\r
            Content-Disposition: form-data; name="data"\r
            Content-Type: application/octet-stream\r
            \r\n
            """
        let tail = """
            \r
            --B\r
            Content-Disposition: form-data; name="file"; filename="f.txt"\r
            Content-Type: text/plain\r
            \r
            content\r
            --B--\r\n
            """
        let expected = Data(head.utf8) + [0, 0xFF] + Data(tail.utf8)
        #expect(try form.data() == expected)
        #expect(try await streamed(form) == expected)
        #expect(try form.contentLength() == Int64(expected.count))
        #expect(try form.body().chunks()?.length == Int64(expected.count))
    }

    @Test("An empty form, and empty parts, are whole too")
    func empty() async throws {
        var form = try MultipartForm(boundary: "B")
        #expect(try form.data().text == "--B--\r\n")
        form.append(file: try folder.file("e", containing: ""), forName: "")
        form.append(text: "", forName: "")
        #expect(try await streamed(form) == form.data())
        #expect(try form.contentLength() == Int64(form.data().count))
    }

    @Test("A body can be read again, as for a redirect")
    func again() async throws {
        let body = try form().body()
        let first = try await body.collected()
        #expect(try await body.collected() == first)
        #expect(!first.isEmpty)
    }

    @Test(
        "Names and file names are escaped by the rules of the WHATWG",
        arguments: [
            ("a\"b", "a%22b"), ("\r\n", "%0D%0A"), ("\n", "%0A"), ("\r", "%0D"), ("ü'\\;", "ü'\\;"), ("%22", "%22"),
            ("x\"; filename=\"evil", "x%22; filename=%22evil"), ("\"\u{301}", "%22\u{301}"),
        ])
    func escaping(name: String, expected: String) throws {
        var form = try MultipartForm(boundary: "B")
        form.append(data: Data(), forName: name, fileName: name, contentType: "a/b")
        let head = "--B\r\nContent-Disposition: form-data; name=\"\(expected)\"; filename=\"\(expected)\"\r\n"
        #expect(try form.data() == Data((head + "Content-Type: a/b\r\n\r\n\r\n--B--\r\n").utf8))
    }

    @Test(
        "A boundary must be one of RFC 2046",
        arguments: ["", "a ", "ü", "a\"b", "a\r\nb", String(repeating: "b", count: 71)])
    func boundary(boundary: String) {
        let error = #expect(throws: MultipartFormError.self) { _ = try MultipartForm(boundary: boundary) }
        #expect(error == .invalidBoundary(boundary))
        #expect(error?.errorKey == "MultipartFormError.invalidBoundary")
    }

    @Test("The Content-Type names the boundary, in quotation marks where it needs them")
    func contentType() throws {
        #expect(try form(boundary: "a-1_.'+").contentType == "multipart/form-data; boundary=a-1_.'+")
        #expect(try form(boundary: "a b:c").contentType == "multipart/form-data; boundary=\"a b:c\"")
        #expect(MultipartForm().boundary != MultipartForm().boundary)
        #expect(MultipartForm().contentType.hasPrefix("multipart/form-data; boundary=PiuPiu-"))
    }

    @Test("A boundary in the content, and a header in a Content-Type, are refused in words that help")
    func refused() throws {
        var form = try MultipartForm(boundary: "B")
        form.append(text: "x--By", forName: "n")
        #expect(throws: MultipartFormError.boundaryInContent(name: "n")) { _ = try form.data() }
        #expect(throws: MultipartFormError.boundaryInContent(name: "n")) { _ = try form.body() }
        form = try MultipartForm(boundary: "B")
        form.append(data: Data(), forName: "n", contentType: "a/b\r\nX: y")
        #expect(throws: MultipartFormError.invalidContentType("a/b\r\nX: y", name: "n")) {
            _ = try form.contentLength()
        }
        let errors: [MultipartFormError] = [
            .boundaryInContent(name: "n"), .invalidContentType("\r\n", name: "n"), .fileChanged(folder.url),
            .invalidBoundary("ü"),
        ]
        #expect(Set(errors.map(\.errorKey)).count == 4)
        for error in errors {
            #expect(error.localizedDescription.split(separator: ". ").count == 2)
            #expect(!error.localizedDescription.contains("\n"))
        }
    }

    @Test("A part that is no regular file is an error before anything is sent")
    func noFile() throws {
        let text = try folder.file("text", containing: "text")
        let remote = try #require(URL(string: "https://example.com" + text.path()))
        for file in [folder.file("missing"), folder.url, remote] {
            var form = MultipartForm()
            form.append(file: file, forName: "f")
            let error = #expect(throws: TransferError.self) { _ = try form.body() }
            #expect(error?.kind == .fileNotFound)
            #expect(error?.url == file)
        }
    }

    @Test(
        "A file of another length than announced is an error", arguments: ["", "cont", "contents", "content and more"])
    func changedFile(content: String) async throws {
        let form = try form(), body = try form.body()
        let file = try folder.file("f.txt", containing: content)
        let error = await #expect(throws: MultipartFormError.self) { _ = try await body.collected() }
        #expect(error == .fileChanged(file))
        #expect(try await streamed(form) == form.data())
    }

    @Test(
        "A file that becomes shorter or longer while it is sent is an error", arguments: [100_000, 500_000] as [UInt64])
    func changingFile(length: UInt64) async throws {
        let file = folder.file("large")
        try Data(count: 300_000).write(to: file)
        var form = MultipartForm()
        form.append(file: file, forName: "file")
        let chunks = try #require(try form.body().chunks())
        let error = await #expect(throws: MultipartFormError.self) {
            // The first chunk of the file comes after its head, which is short.
            for try await chunk in chunks where chunk.count > 100_000 {
                let handle = try FileHandle(forUpdating: file)
                try handle.truncate(atOffset: length)
                try handle.close()
            }
        }
        #expect(error == .fileChanged(file))
    }

    @Test("MEMORY: a large file comes in chunks, and the server gets all of it with its length")
    func upload() async throws {
        let server = try LoopbackServer.start()
        let size = 9 << 20
        let file = folder.file("large")
        try LoopbackPattern.data(count: size).write(to: file)
        var form = MultipartForm()
        form.append(file: file, forName: "file")
        let body = try #require(try form.body().chunks())
        var largest = 0
        for try await chunk in body { largest = max(largest, chunk.count) }
        #expect(largest <= 128 << 10)
        var request = server.request("/sink")
        request.httpMethod = "POST"
        request.setValue("text/plain", forHTTPHeaderField: "content-type")
        request.httpBody = Data("own".utf8)
        let future = URLRequestDispatcher(configuration: .ephemeral).uploadFuture(from: request, withForm: form)
        #expect(server.requestCount() == 0, "COLD")
        let text = try await future.value.data.text
        let received = try #require(server.requests.first)
        let length = try form.contentLength()
        #expect(received.header("Content-Type") == form.contentType)
        #expect(received.header("Content-Length") == "\(length)")
        let digest = LoopbackDigest.hexadecimal(LoopbackDigest.of(try form.data()))
        #expect(text == "{\"count\":\(length),\"digest\":\"\(digest)\"}")
    }

    @Test("COLD: a mock sees the form as the body when the future starts; a missing file fails the future")
    func mock() async throws {
        let mock = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
        }
        let request = URLRequest(url: try URL(fixture: "https://example.com"), method: .post)
        var form = try MultipartForm(boundary: "B")
        form.append(file: folder.file("later"), forName: "f")
        let future = mock.uploadFuture(from: request, withForm: form)
        _ = try folder.file("later", containing: "now")
        let response = try await future.value
        #expect(response.data == (try form.data()))
        #expect(response.urlRequest.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=B")
        form.append(file: folder.file("missing"), forName: "f")
        let failing = mock.uploadFuture(from: request, withForm: form)
        let error = await #expect(throws: TransferError.self) { _ = try await failing.value }
        #expect(error?.kind == .fileNotFound)
    }
}

extension Data {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
