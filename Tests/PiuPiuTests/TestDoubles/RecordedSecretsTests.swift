import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Secrets in recordings", .timeLimit(.minutes(10)))
struct RecordedSecretsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Requests that each hold a secret, in different places.
    private func requests(_ secret: String) throws -> [URLRequest] {
        var form = URLRequest(url: try url("https://example.com/form"), method: .post)
        form.setFormBody(["user": "me", "password": secret])
        var json = URLRequest(url: try url("https://example.com/json"), method: .post)
        try json.setJSONBody(jsonObject: ["user": "me", "otp": secret, "session": ["id": secret], "n": [["pin": 12]]])
        var header = URLRequest(url: try url("https://example.com/header"))
        header.setValue(secret, forHTTPHeaderField: "X_Api_Key")
        let query = URLRequest(url: try url("https://example.com/query?a=b%20c&refreshToken=\(secret)&page=1"))
        let nested = URLRequest(url: try url("https://example.com/go?next=%2Freset%3Ftoken%3D\(secret)&page=1"))
        // Texts that contain JSON, or are JSON only in part, and a form with a file.
        var message = URLRequest(url: try url("https://example.com/message"), method: .post)
        try message.setJSONBody(jsonObject: ["log": #"{"token":"\#(secret)","otp":12,"a":[1]}"#])
        var lines = URLRequest(url: try url("https://example.com/lines"), method: .post)
        lines.setHTTPBody(string: "{\"token\":\"\(secret)\"}\n{\"a\":1,\"pin\":123}\n")
        lines.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        var parts = try MultipartForm(boundary: "boundary")
        parts.append(text: secret, forName: "password")
        parts.append(data: Data([0xFF, 0x0D, 0x0A, 0xFE]), forName: "file")
        var multipart = URLRequest(url: try url("https://example.com/parts"), method: .post)
        multipart.httpBody = try parts.data()
        multipart.setValue(parts.contentType, forHTTPHeaderField: "Content-Type")
        // Secrets after a second question mark.
        let routed = URLRequest(url: try url("https://example.com/callback?next=/x?token=\(secret)&page=1"))
        let appended = URLRequest(url: try url("https://example.com/pages?page=1?token=\(secret)"))
        var route = URLRequest(url: try url("https://example.com/route"), method: .post)
        route.setHTTPBody(string: "page=1&next=/x?token=\(secret)")
        route.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        // A URL in a header, and of several items with one name one with a secret.
        var moved = URLRequest(url: try url("https://example.com/moved"), method: .post)
        moved.setValue("https://me:\(secret)@example.com/b?page=1", forHTTPHeaderField: "Destination")
        let links = "url=https%3A%2F%2Fa.example%2F&url=https%3A%2F%2Fb.example%2F%3Ftoken%3D\(secret)&url=c"
        let several = URLRequest(url: try url("https://example.com/links?\(links)"))
        var severalInForm = URLRequest(url: try url("https://example.com/links"), method: .post)
        severalInForm.setHTTPBody(string: links)
        severalInForm.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        return [
            query, form, json, header, message, lines, multipart, nested, routed, appended, route, moved, several,
            severalInForm,
        ]
    }

    private func record(_ secret: String) async throws -> (TrafficRecording, URL) {
        let answer = Data(#"{"accessToken":"\#(secret)","otp":9876,"expires":3600}"#.utf8)
        let recorder = RecordingDispatcher(
            MockRouteTable(routes: [
                MockRoute(
                    .status(
                        .ok, headers: ["Set-Cookie": secret, "Content-Length": "\(answer.count)", "X-Token": secret],
                        data: answer))
            ]))
        for request in try requests(secret) { _ = try await recorder.dataFuture(from: request).value }
        let file = folder.file("recording.json")
        try recorder.recording().write(to: file)
        return (try TrafficRecording(contentsOf: file), file)
    }

    @Test("No secret is in the file, and a replay answers requests with other secrets", arguments: [true, false])
    func replay(comparesBody: Bool) async throws {
        let (recording, file) = try await record("s3cret")
        let content = try #require(file.content)
        #expect(!content.contains("s3cret") && !content.contains("9876"), "\(content)")
        #expect(content.contains("page=1") && content.contains("b%20c") && content.contains("3600"))
        let replayer = ReplayingDispatcher(
            recording, matching: comparesBody ? .methodURLAndBody : .methodAndURL, afterLast: .fail)
        for request in try requests("an%20other") {
            let response = try await replayer.dataFuture(from: request).makeHTTPResponse().value
            let body = try #require(response.data)
            #expect(String(decoding: body, as: UTF8.self) == #"{"accessToken":"<redacted>","otp":0,"expires":3600}"#)
            #expect(response.httpResponse.value(forHTTPHeaderField: "Content-Length") == "\(body.count)")
        }
    }

    @Test("A text secret that is a UUID still decodes in a replay")
    func identifiers() async throws {
        struct Session: Codable, Equatable {
            var sessionId: UUID
            var user: Int
        }
        let session = Session(sessionId: UUID(), user: 1)
        let recorder = RecordingDispatcher(MockRouteTable(routes: [MockRoute(.json(session))]))
        let request = URLRequest(url: try url("https://example.com/session"))
        _ = try await recorder.dataFuture(from: request).value
        let recording = recorder.recording()
        let content = String(decoding: try recording.data(), as: UTF8.self)
        #expect(!content.contains(session.sessionId.uuidString))
        let replayed = try await ReplayingDispatcher(recording).dataFuture(from: request).decoded(Session.self).value
        #expect(replayed.data.user == 1 && replayed.data.sessionId != session.sessionId)
    }

    @Test("A secret of a URL in JSON isn't in the file, and a replay decodes the URL and finds what it leads to")
    func links() async throws {
        struct Feed: Decodable {
            var next: URL
            var log: String
        }
        let answer =
            #"{"next":"https:\/\/example.com\/app;sid=7\/feed?access_token=s3cret\u0026page=2","#
            + #""log":"{\"url\":\"https:\/\/u:s3cret@example.com\/\"}"}"#
        func request(_ secret: String) throws -> URLRequest {
            var request = URLRequest(url: try url("https://example.com/feed"), method: .post)
            request.setJSONBody(string: #"{"back":"https://u:\#(secret)@example.com/?page=1&token=\#(secret)"}"#)
            return request
        }
        let type = ["Content-Type": "application/json"]
        let recorder = RecordingDispatcher(MockRouteTable(routes: [MockRoute(.text(answer, headers: type))]))
        let first = try await recorder.dataFuture(from: request("s3cret")).decoded(Feed.self).value.data
        _ = try await recorder.dataFuture(from: URLRequest(url: first.next)).value
        let content = String(decoding: try recorder.recording().data(), as: UTF8.self)
        #expect(!content.contains("s3cret") && content.contains("page=1") && content.contains("page=2"), "\(content)")

        let replayer = ReplayingDispatcher(recorder.recording(), matching: .methodURLAndBody, afterLast: .fail)
        let feed = try await replayer.dataFuture(from: request("other")).decoded(Feed.self).value.data
        #expect(feed.log == #"{"url":"https://<redacted>@example.com/"}"#)
        #expect(try await replayer.dataFuture(from: URLRequest(url: feed.next)).value.urlResponse.status == 200)
    }

    @Test("A recorded Link is still one, and leads to the page that was recorded")
    func pages() async throws {
        let first = URLRequest(url: try url("https://example.com/items"))
        let next = "https://u:s3cret@example.com/items?page=2&key=s3cret"
        let server = MockURLRequestDispatcher { request in
            let isFirst = request.url == first.url
            return Response.makeMockResponse(
                with: request, data: Data((isFirst ? "one" : "two").utf8), statusCode: .ok,
                headers: isFirst ? ["Link": "<\(next)>; rel=\"next\", <\(next)>; rel=last"] : [:])
        }
        /// The pages by the first link of each.
        func texts(by dispatcher: some DataDispatcher) async throws -> [String?] {
            let one = try await dispatcher.dataFuture(from: first).value
            let header = try #require(one.head.value(for: "Link"))
            let link = try #require(header.wholeMatch(of: #/<([^<>]*)>; rel="next", <[^<>]*>; rel=last/#))
            let two = try await dispatcher.dataFuture(from: URLRequest(url: url(String(link.1)))).value
            return [one.data.text, two.data.text]
        }
        let recorder = RecordingDispatcher(server)
        #expect(try await texts(by: recorder) == ["one", "two"])
        let recording = try recorder.recording().data()
        #expect(!String(decoding: recording, as: UTF8.self).contains("s3cret"))
        let replayer = ReplayingDispatcher(try TrafficRecording(data: recording), afterLast: .fail)
        #expect(try await texts(by: replayer) == ["one", "two"])
    }

    @Test("A path stays as it is, also in a location, so that a replay finds it")
    func paths() async throws {
        let page = MockRoute(.status(.found, headers: ["Location": "/next;jsessionid=2?token=s3cret"]))
        let recorder = RecordingDispatcher(MockRouteTable(routes: [page]))
        let request = URLRequest(url: try url("https://example.com/app;jsessionid=1"))
        _ = try await recorder.dataFuture(from: request).value
        let response = try await ReplayingDispatcher(recorder.recording()).dataFuture(from: request).value
        #expect(response.head.value(for: "Location") == "/next;jsessionid=2?token=<redacted>")
    }

    @Test(
        "The body of a request with a content coding, in which secrets aren't found, isn't in the file, and matches any",
        arguments: [("gzip", true), ("br, gzip", true), ("identity", false)])
    func codedBody(coding: String, isLeftOut: Bool) async throws {
        func request(_ body: String) throws -> URLRequest {
            var request = URLRequest(url: try url("https://example.com/coded"), method: .post)
            request.httpBody = Data(body.utf8)
            request.setValue(coding, forHTTPHeaderField: "content-encoding")
            return request
        }
        let recorder = RecordingDispatcher(MockRouteTable(routes: [MockRoute(.text("text"))]))
        _ = try await recorder.dataFuture(from: request("coded")).value
        let recording = try TrafficRecording(data: recorder.recording().data())
        let body: RecordedExchange.Body = .data(Data("coded".utf8))
        #expect(recording.exchanges.first?.request.body == (isLeftOut ? .omitted : body))
        #expect(recorder.recording(redacting: .none).exchanges.first?.request.body == body)
        let replayer = ReplayingDispatcher(recording, matching: .methodURLAndBody)
        _ = try await replayer.dataFuture(from: request(isLeftOut ? "other" : "coded")).value
    }

    @Test("A body that wasn't recorded matches anything, but a recording with the same body matches better")
    func omitted() async throws {
        func request(_ body: String) throws -> URLRequest {
            var request = URLRequest(url: try url("https://example.com/files"), method: .post)
            request.setHTTPBody(string: body)
            return request
        }
        let mock = MockURLRequestDispatcher { request in
            let answer = request.httpBody?.count == 5 ? "small" : "large"
            return Response.makeMockResponse(with: request, data: Data(answer.utf8), statusCode: .ok)
        }
        let recorder = RecordingDispatcher(mock, bodyLimit: 5)
        for body in ["a large body", "small"] { _ = try await recorder.dataFuture(from: request(body)).value }
        let recording = recorder.recording()
        let replayer = ReplayingDispatcher(recording, matching: .methodURLAndBody, afterLast: .fail)
        for (body, answer) in [("a large body", "large"), ("small", "small")] {
            #expect(try await replayer.dataFuture(from: request(body)).value.data == Data(answer.utf8))
        }
    }

    @Test(
        "A value that was left out matches anything, but a recording without such a value matches better",
        arguments: [ReplayingDispatcher.Matching.methodAndURL, .methodURLAndBody])
    func exactValues(matching: ReplayingDispatcher.Matching) async throws {
        func request(_ token: Any) throws -> URLRequest {
            var request = URLRequest(url: try url("https://example.com/device"), method: .put)
            try request.setJSONBody(jsonObject: ["pushToken": token])
            return request
        }
        let mock = MockRouteTable(script: MockScript([.status(.created), .status(.noContent)]))
        let recorder = RecordingDispatcher(mock)
        for token in ["abc", NSNull()] as [Any] { _ = try await recorder.dataFuture(from: request(token)).value }
        for order in [["xyz", NSNull()], [NSNull(), "xyz"]] as [[Any]] {
            let replayer = ReplayingDispatcher(recorder.recording(), matching: matching)
            for token in order {
                let status = try await replayer.dataFuture(from: request(token)).value.urlResponse.status
                #expect(status == (token is String ? 201 : 204))
            }
        }
    }

    @Test("Values that aren't secret still tell requests apart")
    func differences() async throws {
        let (recording, _) = try await record("s3cret")
        let replayer = ReplayingDispatcher(recording, matching: .methodURLAndBody)
        func isRefused(_ request: URLRequest) async -> Bool {
            await replayer.dataFuture(from: request).result.error != nil
        }
        let requests = try requests("other")
        #expect(await isRefused(URLRequest(url: try url("https://example.com/query?a=b%20c&refreshToken=x&page=2"))))
        #expect(await isRefused(URLRequest(url: try url("https://example.com/query?a=b%20c&page=1"))))
        var form = requests[1]
        form.setFormBody(["user": "you", "password": "other"])
        #expect(await isRefused(form))
        var json = requests[2]
        try json.setJSONBody(jsonObject: ["user": "you", "otp": "x", "session": ["id": "x"], "n": [["pin": 12]]])
        #expect(await isRefused(json))
        try json.setJSONBody(jsonObject: ["user": "me", "otp": 5, "session": ["id": NSNull()], "n": [["pin": "x"]]])
        #expect(await !isRefused(json), "a secret matches whatever it is")
        for (index, other) in [
            (4, #"{"log":"{\"token\":\"x\",\"otp\":12,\"a\":[2]}"}"#),
            (5, "{\"token\":\"x\"}\n{\"a\":2,\"pin\":123}\n"), (6, "--boundary--"),
        ] {
            var request = requests[index]
            #expect(await !isRefused(request))
            request.setHTTPBody(string: other)
            #expect(await isRefused(request))
        }
        for address in [
            "callback?next=/y?token=x&page=1", "callback?next=/x?page=1", "pages?page=2?token=x",
            "links?url=https%3A%2F%2Fd.example%2F&url=x&url=c", "links?url=https%3A%2F%2Fa.example%2F&url=x&url=d",
        ] {
            #expect(await isRefused(URLRequest(url: try url("https://example.com/" + address))), "\(address)")
        }
        let error = await replayer.dataFuture(
            from: URLRequest(url: try url("https://example.com/query?a=d&refreshToken=x&page=1"))
        ).result.error
        let text = error?.localizedDescription ?? ""
        #expect(text.contains(#"(differs in the query item "a")"#), "\(text)")
    }

    @Test("Without redaction everything is written, and tells requests apart")
    func none() async throws {
        let recorder = RecordingDispatcher(MockRouteTable(routes: [MockRoute(.text("text"))]))
        for request in try requests("s3cret") { _ = try await recorder.dataFuture(from: request).value }
        let recording = recorder.recording(redacting: .none)
        let content = String(decoding: try recording.data(), as: UTF8.self)
        #expect(content.components(separatedBy: "s3cret").count == 15)
        let replayer = ReplayingDispatcher(recording, matching: .methodURLAndBody)
        for request in try requests("other").prefix(3) {
            await #expect(throws: ReplayError.self) { _ = try await replayer.dataFuture(from: request).value }
        }
        for request in try requests("s3cret") { _ = try await replayer.dataFuture(from: request).value }
    }

    @Test("Only the owner can read the file, even if it replaces another, and nothing else is left")
    func permissions() throws {
        let file = try folder.file("recording.json", containing: "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path())
        try TrafficRecording([]).write(to: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path())
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let all = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path())
        #expect(all == ["recording.json"])
        let obstacle = folder.file("folder/file")
        try TrafficRecording([]).write(to: obstacle)
        #expect(throws: RecordingFileError.self) {
            try TrafficRecording([]).write(to: obstacle.deletingLastPathComponent())
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path()).count == 2)
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
