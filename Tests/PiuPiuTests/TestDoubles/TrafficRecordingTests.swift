import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The file of recorded exchanges", .timeLimit(.minutes(10)))
struct TrafficRecordingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func post(_ address: String = "https://me:pass@example.com/posts?draft=1#top") throws -> URLRequest {
        var request = URLRequest(url: try url(address), method: .post)
        request.httpBody = Data(#"{"title":"Hello"}"#.utf8)
        request.setValue("Bearer 1234", forHTTPHeaderField: "Authorization")
        request.setValue("text/plain", forHTTPHeaderField: "Accept")
        return request
    }

    /// Has only the rest of a file sent, as for a download that goes on.
    private struct ResumingDispatcher: DownloadDispatcher {
        func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
            ResponseFuture {
                try Data("whole file".utf8).write(to: destination)
                let rest = Response.makeMockResponse(
                    with: urlRequest, data: Data("file".utf8), statusCode: .partialContent,
                    headers: ["Content-Range": "bytes 6-9/10", "Content-Length": "4", "ETag": "\"v1\""])
                return Response(response: rest, data: destination)
            }
        }
    }

    @Test("FILES: a resumed download is recorded whole, so that a replay brings the same file")
    func resumed() async throws {
        let recorder = RecordingDispatcher(ResumingDispatcher()), request = try post()
        _ = try await recorder.downloadFuture(from: request, to: folder.file("a")).value
        let mock = ReplayingDispatcher(recorder.recording())
        let response = try await mock.downloadFuture(from: request, to: folder.file("b")).makeHTTPResponse().value
        #expect(folder.file("b").content == "whole file")
        #expect(response.statusCode == .ok)
        #expect(response.httpResponse.value(forHTTPHeaderField: "Content-Range") == nil)
        #expect(response.httpResponse.value(forHTTPHeaderField: "ETag") == "\"v1\"")
    }

    @Test("It is written for people: sorted, indented, with secrets left out")
    func text() async throws {
        let recorder = RecordingDispatcher(
            MockRouteTable(
                script: MockScript([
                    .status(.created, headers: ["Set-Cookie": "id=1", "X-Tag": "e"], data: Data([0xFF, 0])),
                    .failure(TransferError(.timedOut)), .failure(Mishap()), .failure(CancellationError()),
                ])))
        for _ in 0..<4 { _ = await recorder.dataFuture(from: try post()).result }
        let file = folder.file("f")
        try recorder.recording().write(to: file)
        let content = try #require(file.content)
        #expect(
            content.hasPrefix(
                """
                {
                  "exchanges" : [
                    {
                      "request" : {
                        "body" : {
                          "text" : "{\\"title\\":\\"Hello\\"}"
                        },
                        "headers" : {
                          "Accept" : "text/plain",
                          "Authorization" : "<redacted>"
                        },
                        "method" : "POST",
                        "url" : "https://example.com/posts?draft=1"
                      },
                      "response" : {
                        "body" : {
                          "base64" : "/wA="
                        },
                        "headers" : {
                          "Set-Cookie" : "<redacted>",
                          "X-Tag" : "e"
                        },
                        "status" : 201
                      }
                    },
                    {
                      "failure" : "timedOut",
                      "request" : {
                """), "\(content)")
        #expect(content.hasSuffix("  ],\n  \"version\" : 1\n}\n"))
        let read = try TrafficRecording(contentsOf: file)
        #expect(read == recorder.recording())
        #expect(read.exchanges.map(\.outcome).dropFirst() == [.failure(.timedOut), .failure(.other)])
        #expect(try read.data() == Data(content.utf8))
        let open = try String(decoding: recorder.recording(redacting: .none).data(), as: UTF8.self)
        #expect(open.contains("Bearer 1234"))
        #expect(open.contains("id=1"))
        #expect(!open.contains("pass"))
        let some = try String(decoding: recorder.recording(redacting: HeaderRedaction(["x-tag"])).data(), as: UTF8.self)
        #expect(some.contains(#""X-Tag" : "<redacted>""#))
    }

    @Test("A file that is written by hand needs little")
    func byHand() throws {
        let text = """
            {"version": 1, "comment": "passed over", "exchanges": [
              {"request": {"method": "GET", "url": "https://example.com/a"}, "response": {"status": 204}},
              {"request": {"method": "GET", "url": "https://example.com/b", "body": {}},
               "response": {"status": 200, "body": {"base64": "aGVs\\nbG8="}}},
              {"request": {"method": "GET", "url": "https://example.com/c", "body": {"omitted": true}},
               "failure": "hostNotFound"}]}
            """
        let exchanges = try TrafficRecording(data: Data(text.utf8)).exchanges
        #expect(exchanges.map(\.request.body) == [.none, .none, .omitted])
        guard case .response(let response) = exchanges[1].outcome else { return #expect(Bool(false), "no response") }
        #expect(response.body.data.text == "hello")
        #expect(exchanges[2].outcome == .failure(.hostNotFound))
    }

    @Test(
        "A malformed recording is a typed error that says where and why",
        arguments: [
            ("", "malformed"), ("[]", "malformed"), ("{}", "no value for key 'version'"),
            (#"{"version": 1}"#, "no value for key 'exchanges'"),
            (#"{"version": 2, "exchanges": []}"#, "version 2 of the format"),
            (#"{"version": 1, "exchanges": [{}]}"#, "no value for key 'request' at exchanges[0]"),
            (
                #"{"version": 1, "exchanges": [{"request": {"method": "GET", "url": "https://a.b/"}}]}"#,
                "no value for key 'response' at exchanges[0]"
            ),
            (
                #"{"version": 1, "exchanges": [{"request": {"method": "GET", "url": "https://a.b/"}, "failure": "x"}]}"#,
                "exchanges[0].failure: There is no such failure. There are: cannotConnect"
            ),
            (
                #"{"version": 1, "exchanges": [{"request": {"method": "G", "url": "https://a.b/", "body": {"base64": "*"}}}]}"#,
                "malformed"
            ),
        ])
    func malformed(content: String, reason: String) throws {
        let error = #expect(throws: RecordingFileError.self) { _ = try TrafficRecording(data: Data(content.utf8)) }
        #expect(error?.localizedDescription.contains(reason) == true, "\(error?.localizedDescription ?? "")")
        #expect(error?.file == nil)
        let file = try folder.file("f", containing: content)
        #expect(throws: RecordingFileError.self) { _ = try TrafficRecording(contentsOf: file) }
    }

    @Test("A file that can't be read or written is a typed error")
    func files() throws {
        let obstacle = try folder.file("f", containing: "a file")
        let missing = folder.file("missing")
        let unreadable = #expect(throws: RecordingFileError.self) { _ = try TrafficRecording(contentsOf: missing) }
        #expect(unreadable?.file == missing)
        #expect(unreadable?.localizedDescription.hasPrefix("The recording \(missing.path()) can't be read: ") == true)
        let unwritable = #expect(throws: RecordingFileError.self) {
            try TrafficRecording([]).write(to: obstacle.appending(path: "g"))
        }
        #expect(unwritable?.localizedDescription.contains("can't be written") == true)
    }

    // MARK: Random exchanges

    /// Exchanges with random bodies, statuses and headers.
    private func randomExchanges(_ random: inout SeededGenerator) async throws -> [RecordedExchange] {
        var answers: [MockAnswer] = [], requests: [URLRequest] = []
        let texts = ["", "text", "Grüße 😀", "\u{FEFF}mark", "\"\\/\n\r\t\u{0}\u{1F}\u{7F}\u{2028}", "{\"a\":1}"]
        for number in 0..<Int.random(in: 0...8, using: &random) {
            func body() -> Data {
                let isText = Bool.random(using: &random)
                if isText { return Data((texts.randomElement(using: &random) ?? "").utf8) }
                return Data(
                    (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) })
            }
            var request = URLRequest(url: try url("https://example.com/\(number)?a=%2F&b"), method: .put)
            request.httpBody = body()
            request.setValue(texts.prefix(3).randomElement(using: &random), forHTTPHeaderField: "X-Text")
            requests.append(request)
            let status = StatusCode(rawValue: .random(in: 200...599, using: &random))
            answers.append(
                Int.random(in: 0..<5, using: &random) == 0
                    ? .failure(TransferError(TransferError.Kind.allCases.randomElement(using: &random) ?? .other))
                    : .status(status, headers: ["X-Number": "\(number)"], data: body()))
        }
        let recorder = RecordingDispatcher(MockRouteTable(script: MockScript(answers)))
        for request in requests { _ = await recorder.dataFuture(from: request).result }
        return recorder.exchanges
    }

    @Test("A recording is read as it was written, byte by byte", arguments: Array<UInt64>(1...30))
    func roundTrip(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let exchanges = try await randomExchanges(&random)
        let recording = TrafficRecording(exchanges)
        let read = try TrafficRecording(data: recording.data())
        #expect(read == recording, "seed \(seed)")
        #expect(read.exchanges.map(\.request.body.data) == exchanges.map(\.body.data), "seed \(seed)")
        for (exchange, original) in zip(read.exchanges, exchanges) {
            guard case .response(let response) = exchange.outcome else { continue }
            #expect(response.body.data == original.responseData, "seed \(seed)")
            #expect(response.status == original.statusCode, "seed \(seed)")
        }
    }

    @Test("Text that is damaged anywhere causes at most a typed error, and no crash", arguments: Array<UInt64>(1...10))
    func damage(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let data = try TrafficRecording(try await randomExchanges(&random)).data()
        for _ in 0..<100 {
            var damaged = data
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                if Bool.random(using: &random) {
                    damaged[place] = .random(in: 0...255, using: &random)
                } else {
                    damaged = damaged.prefix(max(place, 1))
                }
            }
            do { _ = try TrafficRecording(data: damaged) } catch {
                #expect(error is RecordingFileError, "seed \(seed)")
            }
        }
    }

    #if os(Linux) || os(macOS)
        @Test("Python's json and base64 read the same bodies", .enabled(if: PythonDecoder.isPresent))
        func python() async throws {
            let script = """
                import base64
                def data(body):
                    if not body: return b''
                    return body['text'].encode() if 'text' in body else base64.b64decode(body['base64'])
                recordings = [json.loads(file) for file in values]
                result = [[data(e['request'].get('body')).hex() for e in r['exchanges']] for r in recordings]
                """
            var files: [String] = [], expected: [[String]] = []
            for seed in UInt64(1)...5 {
                var random = SeededGenerator(seed: seed)
                let exchanges = try await randomExchanges(&random)
                files.append(String(decoding: try TrafficRecording(exchanges).data(), as: UTF8.self))
                expected.append(
                    exchanges.map { exchange in
                        (exchange.body.data ?? Data()).map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
                    })
            }
            let read = try await PythonDecoder.run(script, with: files, as: [[String]].self)
            #expect(read == expected, "seeds 1 to 5")
        }
    #endif
}
