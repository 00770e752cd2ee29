import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What print, reflection and dump show", .timeLimit(.minutes(10)))
struct DescriptionTests {
    private static let secrets = ["user:", "word@", "secret", "Bearer"]

    /// All texts that the standard library makes of a value.
    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped, "\([value])"]
    }

    private func secrets(in value: Any) -> [String] {
        texts(of: value).filter { text in Self.secrets.contains { text.contains($0) } }
    }

    private func request() throws -> URLRequest {
        var request = try fixtureRequest("https://user:word@example.com/posts?page=2&token=secret#access_token=secret")
        request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        return request
    }

    @Test("No text of an error shows a user, a password or a secret item of a query")
    func errors() throws {
        for error in try SampleErrors.all() {
            #expect(secrets(in: error) == [], "\(error.errorKey)")
            #expect(secrets(in: Result<Int, any Error>.failure(error)) == [], "\(error.errorKey)")
        }
        let error = ResponseFailure(HTTPError.clientError(.notFound), of: try request())
        #expect("\(error)" == "ResponseFailure: \(error.localizedDescription)")
        #expect("\(error)".contains("https://example.com/posts?…"))
    }

    @Test("No text of a response shows a user, a password, a secret item of a query, or a header")
    func responses() throws {
        let response = Response.makeMockResponse(
            with: try request(), data: Data("abc".utf8), statusCode: .ok, headers: ["Set-Cookie": "a=secret"])
        let text = "GET https://<redacted>@example.com/posts?page=2&token=<redacted>#access_token=<redacted>, 200"
        #expect("\(response)" == "Response<Optional<Data>>(\(text), Optional(3 bytes))")
        #expect("\(try response.makeHTTPResponse())" == "HTTPResponse<Optional<Data>>(\(text), Optional(3 bytes))")
        #expect(secrets(in: response) == [])
        #expect(secrets(in: try response.makeHTTPResponse()) == [])
        #expect(secrets(in: response.head) == [])
    }

    @Test("No text of a recorded outcome shows a header, a body, or a secret of the URL")
    func recordedOutcomes() throws {
        let url = try #require(try request().url), failure = TransferError(.timedOut, url: url)
        let http = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Set-Cookie": "a=secret"]))
        let other = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let outcomes: [(RecordedExchange.Outcome, String)] = [
            (.response(http, body: .data(Data("secret".utf8))), "200"), (.response(other, body: .none), "a response"),
            (.failure(failure), failure.localizedDescription), (.cancelled, "cancelled"),
        ]
        for (outcome, text) in outcomes { #expect("\(outcome)" == text && secrets(in: outcome) == []) }
    }

    @Test("No text of a dispatcher shows the secrets it is set up with")
    func dispatchers() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer secret"]
        let dispatcher = URLRequestDispatcher(configuration: configuration, requestAdapter: Secretive(token: "secret"))
        #expect("\(dispatcher)".hasPrefix("URLRequestDispatcher("))
        #expect("\(dispatcher)".hasSuffix("Engine, Secretive)"))
        let mock = MockURLRequestDispatcher(delay: 0.5) { Response.makeMockResponse(with: $0, statusCode: .ok) }
        #expect("\(mock)" == "MockURLRequestDispatcher(delay: 0.5)")
        let recorder = RecordingDispatcher(mock)
        #expect("\(recorder)" == "RecordingDispatcher(MockURLRequestDispatcher, 0 exchanges)")
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: SecretServer())
        #expect("\(serializer)" == "RequestSerializer(MockURLRequestDispatcher(delay: 0.5))")
        for value in [dispatcher, mock, recorder, serializer] as [Any] { #expect(secrets(in: value) == []) }
    }

    @Test("No text of a request in parts, or of a form, shows a value that may be a secret")
    func requestsAndForms() throws {
        var basic = BasicRequest(
            method: .post, path: "/a\n;sid=secret", queryItems: [URLQueryItem(name: "page", value: "2")],
            headers: ["Authorization": "Bearer 1"])
        #expect("\(basic)" == "BasicRequest(POST /a\\n;sid=<redacted>?page=2, 1 header)")
        basic.addQueryValue("secret", forName: "token")
        basic.headers["X-Other"] = "secret"
        basic.httpBody = Data("secret".utf8)
        #expect("\(basic)".hasSuffix("?page=2&token=<redacted>, 2 headers, 6 bytes)"))
        let form: URLEncodedForm = ["user": "secret", "password\n": "secret"]
        #expect("\(form)" == "URLEncodedForm(user, password\\n)" && "\(form.fields[0])" == "Field(user)")
        var parts = MultipartForm()
        parts.append(text: "secret", forName: "password")
        parts.append(data: Data("secret".utf8), forName: "photo\n", fileName: "secret")
        #expect("\(parts)" == "MultipartForm(password, photo\\n)")
        for value in [basic, form, form.fields, parts] as [Any] { #expect(secrets(in: value) == []) }
        for value in [basic, form, form.fields[0], parts] as [Any] {
            #expect(Mirror(reflecting: value).children.isEmpty)
        }
    }

    @Test("No text of an engine's request, event or settings shows a secret")
    func engines() throws {
        let request = try request(), head = TransferHead(url: try #require(request.url), status: 200)
        let transfer = TransferRequest(request, body: .data(Data("secret".utf8)))
        let text = "GET https://<redacted>@example.com/posts?page=2&token=<redacted>#access_token=<redacted>"
        #expect("\(transfer)" == "TransferRequest(\(text))")
        var settings = TransferSettings()
        settings.additionalHeaders = ["X-Token": "secret", "Authorization": "Bearer 1"]
        #expect("\(settings)" == "TransferSettings(60.0 seconds, Authorization, X-Token)")
        let failure = TransferError(.timedOut, url: request.url), other = URLError(.timedOut, userInfo: ["a": "secret"])
        let events: [(TransferEvent, String)] = [
            (.sent(bytes: 5, expected: 10), "sent(5 of 10 bytes)"), (.sent(bytes: 5, expected: nil), "sent(5 bytes)"),
            (.head(head, request: request), "head(200)"), (.body(Data("secret".utf8)), "body(6 bytes)"),
            (.measured(TransferMetrics(total: .zero, bytesSent: 0, bytesReceived: 0)), "measured"),
            (.finished, "finished"),
            (.failed(failure), "failed(\(failure))"), (.failed(other), "failed(URLError)"),
            (.failed(CancellationError()), "failed(CancellationError)"),
        ]
        for (event, text) in events { #expect("\(event)" == text && secrets(in: event) == []) }
        #expect(secrets(in: transfer) == [] && secrets(in: settings) == [])
        for value in [transfer, settings, events[2].0] as [Any] { #expect(Mirror(reflecting: value).children.isEmpty) }
    }

    #if canImport(FoundationNetworking)
        @Test("No text of the engine over libcurl, or of its options, shows a password")
        func curlEngine() throws {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = [
                "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": 9, "kCFProxyUsernameKey": "user:",
                "kCFProxyPasswordKey": "secret",
            ]
            let identity = try TransferSecurity.ClientCertificate(
                certificate: TransferSecurity.Certificates(pem: SecurityFixtures.certificate),
                keyPEM: SecurityFixtures.encryptedKey, password: "secret")
            let security = TransferSecurity(clientCertificate: identity)
            let engine = try #require(CurlEngine(configuration: configuration, security: security))
            let setup = CurlSetup(configuration, security)
            for value in [engine, engine.limited(to: 1), setup] as [Any] { #expect(secrets(in: value) == []) }
            for value in [engine, setup] as [Any] { #expect(Mirror(reflecting: value).children.isEmpty) }
        }
    #endif

    @Test("The name of a file can't forge a line of a log", arguments: FileTransferError.Kind.allCases)
    func fileNames(kind: FileTransferError.Kind) throws {
        let file = URL(filePath: "/tmp").appending(path: "a\n\u{1B}[2J\u{85}b")
        let text = FileTransferError(kind, file: file).localizedDescription
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(text)")
        #expect(text.contains("a") && text.contains("[2J"))
    }

    @Test("The texts of a deadline, a breaker and a cache show their rules, and nothing inside")
    func policies() throws {
        let deadline = DeadlinePolicy(.seconds(5)), breaker = CircuitBreaker.standard, cache = HTTPCache()
        #expect("\(deadline)" == "DeadlinePolicy(5.0 seconds)")
        #expect("\(breaker)" == "CircuitBreaker(0.5 of 20 exchanges in 30.0 seconds, open for 5.0 seconds)")
        #expect("\(cache)" == "HTTPCache(0 responses, 0 bytes in memory)")
        for value in [deadline, breaker, cache] as [Any] { #expect(Mirror(reflecting: value).children.isEmpty) }
    }

    @Test("The text of a dispatcher's future shows its request, without secrets")
    func dispatched() async throws {
        let request = try request()
        let mock = MockURLRequestDispatcher { Response.makeMockResponse(with: $0, statusCode: .ok) }
        let text = "GET https://<redacted>@example.com/posts?page=2&token=<redacted>#access_token=<redacted>"
        let data = mock.dataFuture(from: request)
        #expect("\(data)" == "ResponseFuture<Response<Optional<Data>>>(created, \(text))")
        _ = try await data.value
        #expect("\(data)" == "ResponseFuture<Response<Optional<Data>>>(succeeded, \(text))")
        let file = URL(filePath: "/nowhere"), network = URLRequestDispatcher()
        let others: [AnyResponseFuture] = [
            mock.downloadFuture(from: request, to: file), mock.uploadFuture(from: request, with: Data()),
            mock.uploadFuture(from: request, withFile: file), mock.streamFuture(from: request),
            network.dataFuture(from: request), network.downloadFuture(from: request, to: file),
            network.uploadFuture(from: request, with: Data()), network.streamFuture(from: request),
        ]
        for future in others { #expect("\(future)".hasSuffix("(created, \(text))")) }
        for future in others + [data] { #expect(secrets(in: future) == []) }
    }

    @Test("The text of a future shows its type, its state and where it was created, and never its value")
    func futures() async throws {
        let gate = Gate(), line = #line
        let operation = ResponseFuture<[Int]> {
            await gate.pass()
            return [7]
        }
        let place = "DescriptionTests.swift:\(line + 1)"
        #expect("\(operation)" == "ResponseFuture<[Int]>(created, \(place))")
        operation.send()
        await gate.reached()
        #expect("\(operation)" == "ResponseFuture<[Int]>(running, \(place))")
        gate.open()
        #expect(try await operation.value == [7])
        #expect("\(operation)" == "ResponseFuture<[Int]>(succeeded, \(place))")
        for text in texts(of: operation) { #expect(!text.contains("[7]") && text.contains(place)) }
        let action = ResponseFuture<Data?> { $0.fail(with: Mishap()) }, actionLine = #line
        _ = await action.ending
        #expect("\(action)" == "ResponseFuture<Data?>(failed, DescriptionTests.swift:\(actionLine))")
        let chained = operation.then { $0.count }
        chained.cancel()
        #expect("\(chained as AnyResponseFuture)" == "ResponseFuture<Int>(cancelled)")
    }
}

private struct Secretive: RequestAdapter {
    let token: String

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest { urlRequest }
}

private final class SecretServer: ServerProvider {
    let baseURL = URL(string: "https://user:word@example.com")
}
