import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Post: Codable, Sendable {
    let id: Int
    let title: String
}

@MainActor
final class Screen {
    var lines: [String] = []
    func show(_ value: Any) { lines.append("\(value)") }
}

// row: `ResponseFuture<T> { future in … }`, `init(result:)`
func makeFutures(of number: Int) -> [ResponseFuture<Int>] {
    [ResponseFuture<Int> { future in future.succeed(with: number) }, ResponseFuture<Int>(result: number)]
}

// row: `success`, `error`, `result`, `completion`, `cancellation`
extension Screen {
    func attachCallbacks(to future: ResponseFuture<Post>) {
        future
            .success { post in self.lines.append(post.title) }
            .error { error in self.lines.append(error.localizedDescription) }
            .completion { self.lines.append("completion") }
            .cancellation { self.lines.append("cancellation") }
            .send()
        future.result { (result: Result<Post, any Error>) in self.show(result) }.send()
        future.success { @MainActor post in self.show(post) }.send()
    }
}

// row: `then`, `map`, `thenResult`, `safeResult`, `replace`, `seriesJoin`, `fulfill`
func transform(_ future: ResponseFuture<Int>, _ other: ResponseFuture<Int>) -> ResponseFuture<(String, Int)> {
    other.fulfill(future)
    return future.then { $0 + 1 }.map { $0 * 2 }
        .safeResult()
        .thenResult { result in try result.get().get() }
        .replace(String.self) { number in ResponseFuture<String>(result: "\(number)") }
        .seriesJoin(Int.self) { text in ResponseFuture<Int>(result: text.count) }
}

// row: `parallelJoin`, `seriesNullableJoin`, `parallelNullableJoin`, `safeSeriesJoin`, `safeParallelJoin`, `safeSeriesNullableJoin`, `safeParallelNullableJoin`, `init(childFutures:)`, `init(childFuturesCallback:)`, `init(arrayLiteral:)`, `addingSeriesResult`, `addingParallelResult`, `addingSeriesNullableResult`, `addingParallelNullableResult`
func join(_ number: ResponseFuture<Int>, _ makeText: @escaping @Sendable () -> ResponseFuture<String>) {
    let joined: [AnyResponseFuture] = [
        number.parallelJoin(String.self) { makeText() },
        number.seriesNullableJoin(String.self) { $0 > 0 ? makeText() : nil },
        number.parallelNullableJoin(String.self) { makeText() },
        number.safeSeriesJoin(String.self) { _ in makeText() },
        number.safeParallelJoin(String.self) { makeText() },
        number.safeSeriesNullableJoin(String.self) { _ in makeText() },
        number.safeParallelNullableJoin(String.self) { makeText() },
    ]
    let numbers = ResponseFuture<[Int]>(childFutures: [number, number])
        .addingSeriesResult { numbers in ResponseFuture<Int>(result: numbers.count) }
        .addingParallelResult { number }
        .addingSeriesNullableResult { _ in nil }
        .addingParallelNullableResult { nil }
    let others = ResponseFuture<[Int]>(childFuturesCallback: { [number, number] })
    let literal = ResponseFuture<[Int]>(arrayLiteral: number, number)
    for future in joined + [numbers, others, literal] { future.start() }
}

// row: `succeed(with:)`, `fail(with:)`, `complete(with:)`, `cancel()`
func settle(_ future: ResponseFuture<Int>, _ another: ResponseFuture<Int>) {
    DispatchQueue.global().async {
        future.succeed(with: 1)
        future.fail(with: URLError(.badURL))
        another.complete(with: .success(2))
        another.cancel()
    }
}

// row: `start()`, `send()`, `status`, `fetchResult()`
func run(_ future: ResponseFuture<Int>, _ another: ResponseFuture<Int>) async throws -> Int {
    another.start()
    if !another.status.isComplete { another.send() }
    return try await future.fetchResult()
}

// row: `DataDispatcher`, `DownloadDispatcher`, `UploadDispatcher`, `URLRequestDispatcher`, `MockURLRequestDispatcher`, its `callback` and `ResponseCallback`
func makeDispatchers() -> [any DataDispatcher & DownloadDispatcher & UploadDispatcher] {
    let dispatcher = URLRequestDispatcher()
    let mock = MockURLRequestDispatcher(delay: 0) { request in
        Response.makeMockResponse(with: request, statusCode: .noContent)
    }
    let created: MockURLRequestDispatcher.ResponseCallback = { .makeMockResponse(with: $0, statusCode: .created) }
    mock.callback = created
    // Structs: a copy may cross threads.
    Task { dispatcher.finishTasksAndInvalidate() }
    return [dispatcher, mock]
}

// row: `dispatcher.dataFuture(from:)`, `dataFuture { … }`
func sendData(_ dispatcher: some DataDispatcher, _ request: URLRequest, _ url: URL) {
    dispatcher.dataFuture(from: request).send()
    dispatcher.dataFuture { URLRequest(url: url, method: .get) }.send()
}

// row: `downloadFuture(from:to:)`, `downloadFuture(destination:) { … }`
func download(_ dispatcher: any DownloadDispatcher, _ request: URLRequest, to file: URL) {
    dispatcher.downloadFuture(from: request, to: file).send()
    dispatcher.downloadFuture(destination: file) { request }.send()
}

// row: `uploadFuture(from:with:)`, `uploadFuture(with:) { … }`
func upload(_ dispatcher: any UploadDispatcher, _ request: URLRequest, _ data: Data, _ chunks: AsyncStream<Data>) {
    dispatcher.uploadFuture(from: request, with: data).send()
    dispatcher.uploadFuture(with: data) { request }.send()
    dispatcher.uploadFuture(from: request, withFile: URL(filePath: "/film.mp4")).send()
    dispatcher.uploadFuture(from: request, withChunks: chunks).send()
}

// row: `finishTasksAndInvalidate()`, `invalidateAndCancel()`
func invalidate(_ dispatcher: URLRequestDispatcher) async {
    dispatcher.finishTasksAndInvalidate()
    await dispatcher.shutdown()
    dispatcher.invalidateAndCancel()
}

// row: `URLRequestAdapter`, `URLResponseAdapter`, `requestAdapter:`, `responseAdapter:`
enum Adapters {
    final class Language: URLRequestAdapter {
        func adapt(urlRequest: URLRequest, with callback: @escaping (URLRequest) throws -> Void) throws {
            var request = urlRequest
            request.setValue("da", forHTTPHeaderField: "Accept-Language")
            try callback(request)
        }
    }

    final class Head: URLResponseAdapter {
        func adapt(
            urlResponse: URLResponse, for urlRequest: URLRequest, with callback: @escaping (URLResponse) throws -> Void
        ) throws {
            try callback(urlResponse)
        }
    }

    struct AsyncLanguage: RequestAdapter {
        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest { urlRequest }
    }

    struct AsyncHead: ResponseAdapter {
        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { urlResponse }
    }

    static func dispatchers() -> [URLRequestDispatcher] {
        [
            URLRequestDispatcher(requestAdapter: Language(), responseAdapter: Head()),
            URLRequestDispatcher(requestAdapter: AsyncLanguage(), responseAdapter: AsyncHead()),
        ]
    }
}

// row: `Request`, `ServerProvider`, `RequestSerializer(dispatcher:serverProvider:)`, its `dataFuture(from:)`, `RequestError`
enum Serializing {
    struct PostRequest: Request {
        func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
            URLRequest(url: baseURL.appending(path: "posts/1"), method: .get)
        }
    }

    final class Server: ServerProvider {
        let baseURL = URL(string: "https://example.com")
    }

    static func load(_ dispatcher: any DataDispatcher, _ server: Server) async throws -> Data? {
        do {
            return try await RequestSerializer(dispatcher: dispatcher, serverProvider: server)
                .dataFuture(from: PostRequest()).value.data
        } catch RequestError.missingURL {
            return nil
        }
    }
}

// row: `percentSent`, `percentRecieved`, `percentTransferred`
func shares(of future: ResponseFuture<Int>, _ task: URLSessionTask, _ progress: TransferProgress) -> [Float?] {
    future.updated { update in
        print(update.percentSent ?? 0, update.percentRecieved ?? 0, update.percentTransferred ?? 0)
    }.send()
    return [
        progress.percentSent, progress.percentRecieved, progress.percentReceived, progress.percentTransferred,
        task.percentSent, task.percentRecieved, task.percentReceived, task.percentTransferred,
    ]
}

// row: `averagePercentSent`, `averagePercentRecieved`, `averagePercentTransferred`, `completed`, `cancelling`, `running`, `suspended`
func averages(of tasks: [URLSessionTask], _ updates: [TransferUpdate], _ transfers: [TransferProgress]) -> [Float?] {
    let counts = [tasks.completed, tasks.cancelling, tasks.running, tasks.suspended].map { Float($0.count) }
    return counts + [
        tasks.averagePercentSent, tasks.averagePercentRecieved, tasks.averagePercentTransferred,
        updates.averagePercentSent, updates.averagePercentRecieved, updates.averagePercentTransferred,
        transfers.averagePercentSent, transfers.averagePercentRecieved, transfers.averagePercentTransferred,
    ]
}

// row: `Response`, `init(response:data:)`, `HTTPResponse`, `ResponseInterface`, `StatusCode`, `StatusCodeType`, `isSuccessful`, `HTTPError`, `ResponseError`, and their `localizedDescription`
func describe(_ response: Response<Data?>, _ error: ResponseError) throws -> [String] {
    let httpResponse: HTTPResponse<Data?> = try response.makeHTTPResponse()
    let status: StatusCode = httpResponse.statusCode
    let anyResponse: any ResponseInterface<Data?> = httpResponse
    let httpError: HTTPError? = anyResponse.httpError
    let type: StatusCodeType = status.type
    if !type.isSuccessful { print(Response(response: response, data: 1).data) }
    return ["\(type)", status.localizedDescription, httpError?.localizedDescription ?? "", error.localizedDescription]
}

// row: `unwrapData`, `decodeString`, `decode`, `decodeIfPresent`, `decodeJSONObject`, `decoded`, `decodedIfPresent`, `decodedString`, `safeDecoded`, `makeHTTPResponse`, `makeMockJSONResponse`, `makeMockResponse`
func decode(_ response: Response<Data?>, _ request: URLRequest, _ dispatcher: any DataDispatcher) async throws {
    let decoder = JSONDecoder()
    print(try response.unwrapData(), try response.decodeString(encoding: .utf8), try response.decodeJSONObject())
    print(
        try response.decode(Post.self, using: decoder), try response.decode(Post.self, dateDecodingStrategy: .rfc3339))
    print(try response.decodeIfPresent(Post.self)?.id ?? 0)
    print(try response.decodeIfPresent(Post.self, dateDecodingStrategy: .iso8601)?.id ?? 0)
    print(try response.decodedString(), try response.decodedIfPresent(Post.self, dateDecodingStrategy: .iso8601))
    let future = dispatcher.dataFuture(from: request)
    print(try await future.decoded(Post.self, dateDecodingStrategy: .iso8601).value)
    print(try await future.decodedString().value, try await future.decodedIfPresent(Post.self).value)
    print(try await future.makeHTTPResponse().safeDecoded(Post.self, dateDecodingStrategy: .iso8601).value)
    print(try await future.join(future).decoded(Post.self, Post.self, using: decoder).value)
    print(try Response.makeMockJSONResponse(with: request, encodable: Post(id: 1, title: ""), statusCode: .ok))
    print(Response.makeMockResponse(with: request, statusCode: .notFound))
}

// row: `BasicRequest`, `url(withBaseURL:)`, `urlRequest(withBaseURL:)`, `URLRequest(url:method:)`, `HTTPMethod`, and the body helpers of `BasicRequest` and `URLRequest`: `setHTTPBody`, `setJSONBody`, `ensureJSONContentType`
func makeRequests(_ post: Post, baseURL: URL) throws -> [URLRequest] {
    let method: HTTPMethod = .post
    var request = BasicRequest(method: method, path: "/posts")
    request.setHTTPBody(string: "text")
    try request.setJSONBody(post, dateEncodingStrategy: .rfc3339)
    request.ensureJSONContentType()
    var urlRequest = URLRequest(url: try request.url(withBaseURL: baseURL), method: .post)
    urlRequest.setHTTPBody(string: "text")
    try urlRequest.setJSONBody(encodable: post, dateEncodingStrategy: .rfc3339)
    urlRequest.ensureJSONContentType()
    return [try request.urlRequest(withBaseURL: baseURL), urlRequest]
}

// row: `makeRequestMarkdown()`, `makeResponseMarkdown()`, `debug()`
func show(_ response: Response<Data?>) {
    print(response.makeRequestMarkdown(), response.makeResponseMarkdown())
    response.debug()
}

// row: `EncodingTransform`, `DecodingTransform`, `Transform`; `decode(using:forKey:)`, `encode(_:forKey:using:)`, `decodeIfPresent`, `encodeIfPresent`
enum Transforming {
    struct Shouting: Transform {
        func from(json: String, codingPath: [any CodingKey]) throws -> String { json.uppercased() }
        func toJSON(_ value: String, codingPath: [any CodingKey]) throws -> String { value.lowercased() }
    }

    struct Model: Codable {
        enum CodingKeys: CodingKey { case name, nick }

        let name: String
        let nick: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(using: Shouting(), forKey: .name)
            nick = try container.decodeIfPresent(using: Shouting(), forKey: .nick)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name, using: Shouting())
            try container.encodeIfPresent(nick, forKey: .nick, using: Shouting())
        }
    }

    static func names<Reading: DecodingTransform, Writing: EncodingTransform>(
        _ decoder: any Decoder, _ encoder: any Encoder, _ reading: Reading, _ writing: Writing,
        _ value: Writing.ValueSource
    ) throws -> [Any?] {
        var unkeyed = try decoder.unkeyedContainer()
        let single = try decoder.singleValueContainer()
        var written = encoder.singleValueContainer()
        try written.encode(value, using: writing)
        return [try unkeyed.decode(using: reading), try single.decodeIfPresent(using: reading)]
    }
}

// row: `DateTransform`, `TimeZoneTransform`, `URLTransform`, `EmptyStringTransform`, `IntFromStringTransform`, `StringFromIntTransform`
func convert(_ formatter: DateFormatter) throws -> [Any?] {
    [
        try DateTransform(formatter: formatter).from(json: "2020-01-01", codingPath: []),
        try TimeZoneTransform().from(json: "Europe/Paris", codingPath: []),
        try URLTransform().from(json: "https://example.com", codingPath: []),
        try EmptyStringTransform().from(json: "", codingPath: []),
        try IntFromStringTransform().from(json: "1", codingPath: []) as Int64,
        try IntFromStringTransform().toJSON("1", codingPath: []) as Int64,
        try StringFromIntTransform().from(json: 1, codingPath: []) as String,
        try StringRepresentationTransform<Int64>().toJSON(1, codingPath: []) as String,
        try NumberRepresentationTransform<Int64>().from(json: 1, codingPath: []) as String,
    ]
}

// row: `DateFormatter.rfc3339`, `.rfc3339` of `JSONEncoder` and `JSONDecoder`
func makeCoders() -> (JSONEncoder, JSONDecoder, DateFormatter) {
    let encoder = JSONEncoder(), decoder = JSONDecoder()
    encoder.dateEncodingStrategy = .rfc3339
    decoder.dateDecodingStrategy = .rfc3339
    return (encoder, decoder, DateFormatter.rfc3339)
}

// row: `PathComponent`, `PathValue`, `WildcardType`, `displayValue`, `string`, `pathValues(matching:)`, `pathMatches(pattern:)`, `integerValue(atIndex:matching:)`, `stringValue(atIndex:matching:)`
func route(_ request: URLRequest) -> [Any?] {
    let type: WildcardType = .integer
    let pattern: [PathComponent] = ["users", .wildcard(type: type)]
    let values: [PathValue]? = request.pathValues(matching: pattern)
    let literal: [PathComponent] = ["users", .wildcard(type: .integer)]
    return [
        values?.string, values?.displayValue, pattern.displayValue, request.pathMatches(pattern: literal),
        request.integerValue(atIndex: 1, matching: pattern), request.stringValue(atIndex: 0, matching: pattern),
    ]
}
