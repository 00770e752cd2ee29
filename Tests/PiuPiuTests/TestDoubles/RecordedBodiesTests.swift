import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bodies in recordings", .timeLimit(.minutes(10)))
struct RecordedBodiesTests {
    private func post(_ path: String, _ body: Data, contentType: String?) throws -> URLRequest {
        var request = URLRequest(url: try url("https://example.com/" + path), method: .post)
        request.httpBody = body
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return request
    }

    /// Answers with the body and the type of the request.
    private let echo = MockURLRequestDispatcher { request in
        let contentType = request.value(forHTTPHeaderField: "Content-Type")
        return Response.makeMockResponse(
            with: request, data: request.httpBody, statusCode: .ok,
            headers: contentType.map { ["Content-Type": $0] } ?? [:])
    }

    // MARK: Bytes that aren't UTF-8

    /// Bodies in Latin-1, each with an umlaut and a secret.
    private static let bodiesInLatin1 = [
        ("application/json", #"{"user":"Jürgen","accessToken":"s3cret"}"#),
        ("Application/Problem+JSON; charset=iso-8859-1", #"{"title":"für","session":{"id":"s3cret"}}"#),
        ("text/plain", #"für {"token":"s3cret"}"#), ("text/event-stream", "data: {\"pin\":\"s3cret\",\"a\":\"ü\"}\n\n"),
        ("application/x-www-form-urlencoded", "user=Jürgen&password=s3cret"),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"json\"\r\nContent-Type: application/json\r\n\r\n"
                + "{\"user\":\"Jürgen\",\"token\":\"s3cret\"}\r\n--b--\r\n"
        ),
    ]

    @Test("Secrets are left out of JSON, forms and texts that aren't UTF-8", arguments: bodiesInLatin1)
    func latin1(contentType: String, text: String) async throws {
        func request(_ secret: String) throws -> URLRequest {
            let body = text.replacingOccurrences(of: "s3cret", with: secret).data(using: .isoLatin1)
            return try post("a", try #require(body), contentType: contentType)
        }
        let recorder = RecordingDispatcher(echo)
        _ = try await recorder.dataFuture(from: request("s3cret")).value
        let recording = try TrafficRecording(data: recorder.recording().data())
        let exchange = try #require(recording.exchanges.first)
        guard case .response(let response) = exchange.outcome else { return #expect(Bool(false), "no response") }
        for body in [exchange.request.body, response.body] {
            let written = String(data: try #require(body.data), encoding: .isoLatin1)
            #expect(written?.contains("s3cret") == false && written?.contains("ü") == true, "\(written ?? "")")
        }
        let replayer = ReplayingDispatcher(recording, matching: .methodURLAndBody)
        #expect(try await replayer.dataFuture(from: request("other")).value.data == response.body.data)
    }

    @Test("Bytes without a type of text stay as they are", arguments: [nil, "image/png", "application/octet-stream"])
    func bytes(contentType: String?) async throws {
        let body = Data(#"{"token":"s3cret"}"#.utf8) + [0xFF]
        let recorder = RecordingDispatcher(echo)
        _ = try await recorder.dataFuture(from: post("a", body, contentType: contentType)).value
        #expect(recorder.recording().exchanges.first?.request.body == .data(body))
    }

    // MARK: Files

    /// Answers with a file that isn't there, as if the test had removed it.
    private struct MissingFiles: DownloadDispatcher {
        func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
            ResponseFuture {
                let response = Response.makeMockResponse(with: urlRequest, statusCode: .ok)
                return Response(response: response, data: destination)
            }
        }
    }

    @Test("A downloaded file that can't be read isn't recorded as an empty one")
    func missingFile() async throws {
        let folder = try TemporaryFolder(), request = URLRequest(url: try url("https://example.com/a"))
        let recorder = RecordingDispatcher(MissingFiles())
        _ = try await recorder.downloadFuture(from: request, to: folder.file("recorded")).value
        let replayer = ReplayingDispatcher(try TrafficRecording(data: recorder.recording().data()))
        await #expect(throws: ReplayError.bodyNotRecorded(method: "GET", url: try url("https://example.com/a"))) {
            _ = try await replayer.downloadFuture(from: request, to: folder.file("replayed")).value
        }
    }

    // MARK: Forms

    /// The upload of a form whose boundary is another one each time.
    private func upload(_ title: String, by dispatcher: some UploadDispatcher) async throws -> Data? {
        var form = MultipartForm()
        form.append(text: title, forName: "title")
        form.append(text: "\(UUID())", forName: "token")
        form.append(data: Data([0xFF, 0x0D, 0x0A, 0x2D, 0x2D]), forName: "file", fileName: "f")
        let body = try form.data()
        let request = try post("form", Data(), contentType: form.contentType)
        return try await dispatcher.uploadFuture(from: request, with: body).value.data
    }

    @Test("A form with a random boundary is found by its fields", arguments: [true, false])
    func boundaries(comparesBody: Bool) async throws {
        let titles = ["one", "two"]
        let recorder = RecordingDispatcher(
            MockURLRequestDispatcher { request in
                let body = String(data: request.httpBody ?? Data(), encoding: .isoLatin1) ?? ""
                let title = titles.first { body.contains($0) } ?? ""
                return Response.makeMockResponse(with: request, data: Data(title.utf8), statusCode: .ok)
            })
        for title in titles { _ = try await upload(title, by: recorder) }
        let replayer = ReplayingDispatcher(
            recorder.recording(), matching: comparesBody ? .methodURLAndBody : .methodAndURL)
        for title in titles.reversed() { #expect(try await upload(title, by: replayer) == Data(title.utf8)) }
        guard comparesBody else { return }
        await #expect(throws: ReplayError.self) { _ = try await upload("three", by: replayer) }
    }
}
