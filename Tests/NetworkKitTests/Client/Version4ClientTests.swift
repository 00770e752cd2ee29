// As users write it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import NetworkKit
import TestSupport
import Testing

/// The names of NetworkKit 4.2 to 5.2 in code of their time.
@Suite("A client of NetworkKit 4.2 in the Swift 5 mode", .timeLimit(.minutes(10)))
struct Version4ClientTests {
    private let url = URL(string: "https://example.com")!

    @Test("JSONRequest has its Content-Type from the start, if its method has a body")
    func jsonRequest() throws {
        for method in [HTTPMethod.get, .head, .delete, .options] {
            #expect(JSONRequest(method: method, path: "/").headers == [:])
        }
        for method in [HTTPMethod.put, .patch] {
            #expect(JSONRequest(method: method, path: "/").headers == ["Content-Type": "application/json"])
        }
        var request = JSONRequest(method: .post, path: "/posts")
        #expect(request.headers == ["Content-Type": "application/json"])
        try request.setHTTPBody(encodable: User(id: 1))
        try request.setHTTPBody(User(id: 1), dateEncodingStrategy: .rfc3339)
        try request.setHTTPBody(jsonObject: ["a": nil])
        try request.setHTTPBody([Date(timeIntervalSince1970: 7)], dateEncodingStrategy: .secondsSince1970)
        #expect(request.httpBody == Data("[7]".utf8))
        try request.setHTTPBody(encodable: [Date(timeIntervalSince1970: 7)])
        #expect(request.httpBody == Data(#"["1970-01-01T00:00:07Z"]"#.utf8))
        request.setHTTPBody(jsonString: "{}", encoding: .utf8)
        request.setHTTPBody(string: "[]")
        #expect(request.httpBody == Data("[]".utf8))
        request.setHTTPBody(string: "a\u{200B}", encoding: .windowsCP1250)
        #expect(request.httpBody == nil)
        var basic = BasicRequest(method: .post, path: "/posts")
        try basic.setHTTPBody(encodable: User(id: 1))
        try basic.setHTTPBody(User(id: 1))
        #expect(basic.headers == ["Content-Type": "application/json"])
        var successor = BasicRequest(method: .post, path: "/posts")
        try successor.setJSONBody([Date(timeIntervalSince1970: 7)])
        #expect(successor.headers == request.headers)
        try request.setHTTPBody([Date(timeIntervalSince1970: 7)])
        #expect(successor.httpBody == request.httpBody)
    }

    @Test("No text of a JSONRequest shows a header or a body")
    func jsonRequestText() {
        var request = JSONRequest(method: .get, path: "/posts", headers: ["Authorization": "Bearer hidden"])
        request.setHTTPBody(string: "hidden")
        var dumped = ""
        dump(request, to: &dumped)
        #expect("\(request)" == "JSONRequest(GET /posts, 1 header, 6 bytes)")
        #expect(String(reflecting: request) == "\(request)" && !dumped.contains("hidden"))
    }

    @Test("make(_:) gives a promise with all of its callbacks, and mockError decides the failure")
    func make() async {
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok, mockError: .forbidden(cause: nil))
        let text: String = await withCheckedContinuation { continuation in
            dispatcher.make(JSONRequest(method: .get, path: "/posts")).success({ _ in
                continuation.resume(returning: "success")
            }).failure({ response in
                continuation.resume(returning: "\(response.error.errorKey) \(response.statusCode.rawValue)")
            }).error({ error in
                continuation.resume(returning: "\(error)")
            }).completion({}).send()
        }
        #expect(text == "Forbidden 403")
        let errors: [ResponseError] = [
            .badRequest(cause: nil), .unauthorized(cause: nil), .forbidden(cause: nil), .notFound(cause: nil),
            .conflict(cause: nil), .unprocessableEntity(cause: nil), .internalServerError(cause: nil),
            .serviceUnavailable(cause: nil), .otherClientError(cause: nil), .otherServerError(cause: nil),
            .unknown(cause: nil),
        ]
        for error in errors {
            let mock = MockDispatcher(baseUrl: url, mockStatusCode: .ok, mockError: error, mockHeaders: [:])
            #expect(mock.mockStatusCode.makeError(cause: nil)?.errorKey == error.errorKey)
        }
        #expect(MockDispatcher(baseUrl: url, mockStatusCode: .ok, mockError: nil).mockStatusCode == .ok)
    }

    @Test("fullfill(_:) is fulfill(_:), and future(_:) takes the error of 5.0 too")
    @MainActor
    func promises() {
        var texts: [String] = []
        let promise = Promise<Int, String>(action: { $0.fail(with: "f") })
        let other = Promise<Int, String>(action: { _ in }).failure({ texts.append($0) })
        promise.fullfill(other)
        promise.future({ _ in ResponseError.conflict(cause: nil) }).error({ texts.append(describe($0)) }).send()
        promise.future({ $0.count }).response({ texts.append("\($0)") }).send()
        #expect(texts == ["f", "Conflict", "1"])
    }

    @Test("NetworkSerializer passes its handlers the value and the headers, or the error")
    func serializer() async {
        let provider = MockDispatcher(baseUrl: URL(string: "nowhere://example.com")!, mockStatusCode: .ok)
        let serializer = NetworkSerializer(dispatcher: NetworkDispatcher(serverProvider: provider))
        let request = JSONRequest(method: .get, path: "/posts")
        let onError: ErrorHandler = { _ in }
        let onCompletion: CompletionHandler = {}
        serializer.send(request, successHandler: { _, _ in }, errorHandler: onError, completionHandler: onCompletion)
        let text: String = await withCheckedContinuation { continuation in
            serializer.fetchDecodable(
                request,
                successHandler: { (user: User, headers) in
                    continuation.resume(returning: "\(user) \(headers)")
                },
                errorHandler: { error in
                    continuation.resume(returning: describe(error))
                })
        }
        #expect(text == "Unknown")
    }

    @Test("The forms of send give the body, its text or the headers alone, each by the type of its closure")
    @MainActor
    func serializerForms() async throws {
        let serializer = CannedSerializer(url: url)
        let log = EventLog()
        let request = JSONRequest(method: .get, path: "/posts")
        serializer.mock.setMockData(jsonString: "text")
        serializer.send(
            request,
            successHandler: { data, headers in
                log("data \(data?.count ?? 0) \(headers["A"] ?? "")")
            }, errorHandler: { log(describe($0)) }, completionHandler: { log("completion") })
        #expect(await log.all(2) == ["data 4 B", "completion"])
        serializer.send(
            request,
            successHandler: { (text: String?, headers) in
                log("\(text ?? "nothing") \(headers["A"] ?? "")")
            }, errorHandler: { log(describe($0)) }
        ) {
            log("trailing completion")
        }
        #expect(await log.all(4).suffix(2) == ["text B", "trailing completion"])
        serializer.send(
            request,
            successHandler: { headers in
                log("\(headers["A"] ?? "")")
            }, errorHandler: { log(describe($0)) })
        #expect(await log.all(5).suffix(1) == ["B"])

        // Without an explicit type, the closure's use of the value decides it.
        serializer.mock.mockData = nil
        serializer.send(request, successHandler: { text, _ in log(text ?? "nothing") }, errorHandler: { _ in })
        #expect(await log.all(6).suffix(1) == ["nothing"])
        serializer.mock.mockData = Data([0xFF])
        serializer.send(request, successHandler: { text, _ in log(text ?? "") }) { log(describe($0)) }
        #expect(await log.all(7).suffix(1) == ["other"])
        serializer.mock.mockStatusCode = .conflict
        serializer.send(request, successHandler: { _, _ in log("success") }, errorHandler: { log(describe($0)) })
        #expect(await log.all(8).suffix(1) == ["Conflict"])
        #expect(serializer.count == 6)
    }

    @Test("printResponse() on a promise leaves its callbacks as they are")
    @MainActor
    func printing() async throws {
        let log = EventLog()
        let mock = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
        mock.make(JSONRequest(method: .get, path: "/")).printResponse().success({ response in
            log("\(response.statusCode.rawValue)")
        }).send()
        #expect(await log.all(1) == ["200"])
        mock.mockStatusCode = .conflict
        let promise = mock.promise(from: JSONRequest(method: .get, path: "/"))
        promise.printResponse()
        promise.failure({ log("\($0.statusCode.rawValue)") }).send()
        #expect(await log.all(2) == ["200", "409"])
    }
}

/// A subclass that doesn't mention Sendable, which causes no warning.
class CannedSerializer: NetworkSerializer {
    let mock: MockDispatcher
    var count = 0

    init(url: URL) {
        mock = MockDispatcher(baseUrl: url, mockStatusCode: .ok, mockHeaders: ["A": "B"])
        super.init(dispatcher: NetworkDispatcher(serverProvider: mock))
    }

    override func make(_ request: Request) -> ResponsePromise<Data?, Data?> {
        count += 1
        return mock.promise(from: request)
    }
}
