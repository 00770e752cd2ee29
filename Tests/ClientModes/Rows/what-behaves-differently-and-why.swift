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
    var title = ""
    var share: Float = 0
    var events: [String] = []
}

// row: `then` and `map` run on the main queue unless told otherwise, against the README
extension Screen {
    func loadTitle(_ post: ResponseFuture<Post>) {
        post.then { post in post.title }.map { title in title.uppercased() }
            .then(on: .main) { @MainActor title in self.title = title }
            .send()
    }
}

// row: `thenResult` and `safeDecoded` run on the main queue
func count(_ posts: ResponseFuture<HTTPResponse<Data?>>) -> ResponseFuture<Int> {
    posts.safeDecoded([Post].self).thenResult { response in try response.get().data.get().count }
}

// row: `updated` is given a `URLSessionTask`
extension Screen {
    func follow(_ upload: ResponseFuture<Post>, beside task: URLSessionTask) {
        upload.updated { (update: TransferUpdate) in
            self.share = update.percentSent ?? update.percentRecieved ?? update.percentTransferred ?? 0
        }.send()
        share = task.percentTransferred ?? 0
    }
}

// row: `cancel()` leaves the request running, and `success` may still come
extension Screen {
    func loadAndLeave(_ post: ResponseFuture<Post>) {
        post.success { post in self.title = post.title }
            .cancellation { self.events.append("cancelled") }
            .completion { self.events.append("over") }
            .send()
        post.cancel()
    }
}

// row: cancelling a task that awaits does nothing, and awaiting a cancelled future hangs
func title(of post: ResponseFuture<Post>, cancelling task: Task<Void, Never>) async throws -> String {
    task.cancel()
    post.cancel()
    do { return try await post.value.title } catch is CancellationError { return "cancelled" }
}

// row: resolving twice runs `completion` twice and may crash
extension Screen {
    func resolveTwice() {
        ResponseFuture<Int> { future in
            future.succeed(with: 1)
            future.fail(with: URLError(.badURL))
        }
        .completion { self.events.append("once") }
        .send()
    }
}

// row: an action that never settles its future leaves it hanging
func whoForgot() async throws -> String? {
    do {
        try await ResponseFuture<Void> { _ in }.value
        return nil
    } catch FutureError.abandoned(let file, let line) {
        return "\(file):\(line)"
    }
}

// row: `thenResult` calls its closure again with what it threw
func rethrow(_ post: ResponseFuture<Post>) -> ResponseFuture<String> {
    post.thenResult { result in
        if case .failure(let error) = result { throw error }
        return try result.get().title
    }
}

// row: a finished future forgets its value
func readTwice(_ post: ResponseFuture<Post>) async throws -> Bool {
    let first = try await post.value
    post.success { post in print(post.id) }.send()
    return try await post.value.id == first.id
}

// row: a parallel join waits for all its parts even if one has failed, and reports the first part's error
func failTogether() async -> String {
    let slow = ResponseFuture<Int> {
        try await Task.sleep(for: .seconds(60)); return 1
    }
    let failing = slow.parallelJoin { ResponseFuture<Int>(error: URLError(.timedOut)) }
    do { return "\(try await failing.value)" } catch { return error.localizedDescription }
}

// row: `childFutures` leaves a cancelled child out, so that the values shift
func cancelOne(of numbers: [ResponseFuture<Int>]) async throws -> [Int] {
    numbers.first?.cancel()
    do { return try await ResponseFuture<[Int]>(childFutures: numbers).value } catch is CancellationError { return [] }
}

// row: `childFutures` crashes for a `Success` that is no array
func collect(_ characters: [ResponseFuture<Character>]) async throws -> (String, Set<Character>) {
    typealias Success = Set<Character>
    return (
        try await ResponseFuture<String>(childFutures: characters).value,
        try await ResponseFuture<Success>(childFutures: characters).value
    )
}

// row: all children run at once
func runFour(of numbers: [ResponseFuture<Int>]) -> ResponseFuture<[Int]> {
    ResponseFuture(childFutures: numbers, limit: 4)
}

// row: `safeResult`, `fulfill` and parallel joins hang when a part is cancelled
extension Screen {
    func cancelPart(_ part: ResponseFuture<Int>, _ other: ResponseFuture<Int>) {
        let target = ResponseFuture<Int> { _ in }.cancellation { self.events.append("target") }
        part.fulfill(target)
        part.safeResult().cancellation { self.events.append("safe") }.send()
        part.parallelJoin { other }.cancellation { self.events.append("join") }.send()
        part.cancel()
    }
}

// row: dispatchers are classes that you must keep alive
func load(_ request: URLRequest) -> ResponseFuture<Response<Data?>> {
    let dispatcher = URLRequestDispatcher()
    let copies: any Sendable = dispatcher
    print(copies)
    return dispatcher.dataFuture(from: request)  // nobody keeps the dispatcher
}

// row: `status` is `.started` inside `success` and `error`
func tell(_ future: ResponseFuture<Int>) {
    future.success { _ in print(future.status != .started) }.error { _ in print(future.status == .error) }.send()
}

// row: decoding throws a bare `DecodingError`
func decode(_ response: ResponseFuture<Response<Data?>>) async throws -> Post? {
    do {
        return try await response.decoded(Post.self).value.data
    } catch let error as ResponseDecodingError {
        print(error.url as Any, error.statusCode as Any, error.codingPath)
        if let original = error.underlyingError as? DecodingError { print(original) }
        return nil
    }
}

// row: network failures are bare `URLError`s
func wasOffline(_ response: ResponseFuture<Response<Data?>>) async throws -> Bool {
    do {
        _ = try await response.value
        return false
    } catch let error as TransferError {
        let original: URLError? = error.urlError
        return original?.code == .notConnectedToInternet || error.kind == .cannotConnect
    }
}

// row: a cancelled request fails with `URLError.cancelled`
extension Screen {
    func cancelRequest(_ response: ResponseFuture<Response<Data?>>) {
        response
            .error { error in
                if case URLError.cancelled = error { self.events.append("never") }
            }
            .cancellation { self.events.append("cancelled") }
            .send()
        response.cancel()
    }
}

// row: a `success` callback that throws `CancellationError` fails the future
extension Screen {
    func leaveDelivery(of post: ResponseFuture<Post>) {
        post.success { _ in throw CancellationError() }
            .cancellation { self.events.append("cancelled") }
            .completion { self.events.append("over") }
            .send()
    }
}

// row: the request that an adapter makes is thrown away: the original is sent (1.11)
final class Signing: URLRequestAdapter {
    func adapt(urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void) throws {
        var request = urlRequest
        request.setValue("signed", forHTTPHeaderField: "X-Signature")
        try callback(request)
    }
}

func signature(_ request: URLRequest) async throws -> String? {
    let response = try await URLRequestDispatcher(requestAdapter: Signing()).dataFuture(from: request).value
    return response.urlRequest.value(forHTTPHeaderField: "X-Signature")
}

// row: adapters are held weakly: one made in place is never used
func makeDispatcherWithAdapterInPlace() -> URLRequestDispatcher { URLRequestDispatcher(requestAdapter: Signing()) }

// row: a request adapter runs on the thread that starts, a response adapter on the main queue
final class Watching: RequestAdapter, ResponseAdapter {
    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest { urlRequest }

    func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { urlResponse }
}

func watch() -> URLRequestDispatcher {
    let watching = Watching()
    return URLRequestDispatcher(requestAdapter: watching, responseAdapter: watching)
}

// row: a response adapter sees the original request
struct RedirectAdapter: URLResponseAdapter {
    func adapt(
        urlResponse: URLResponse, for urlRequest: URLRequest,
        with callback: @escaping @Sendable (URLResponse) throws -> Void
    ) throws {
        print(urlRequest.url?.path() ?? "")  // the last of the redirects
        try callback(urlResponse)
    }
}

// row: an adapter that forgets its callback leaves the future hanging; one that calls it twice sends twice
final class Forgetting: URLRequestAdapter {
    func adapt(urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void) throws {
        if urlRequest.url?.host() == "example.com" { return }
        try callback(urlRequest)
        try callback(urlRequest)
    }
}

func nameOfForgetfulAdapter(_ request: URLRequest) async throws -> String? {
    do {
        _ = try await URLRequestDispatcher(requestAdapter: Forgetting()).dataFuture(from: request).value
        return nil
    } catch AdapterError.callbackDropped(let adapter) {
        return adapter
    }
}

// row: a download removes what is at its destination and copies the new file there
func replaceFile(_ dispatcher: any DownloadDispatcher, _ request: URLRequest, _ file: URL) async throws -> Data {
    try Data("older".utf8).write(to: file)
    return try Data(contentsOf: await dispatcher.downloadFuture(from: request, to: file).value.data)
}

// row: the page of an HTTP error takes the file's place
func downloadUnlessMissing(_ dispatcher: any DownloadDispatcher, _ request: URLRequest, _ file: URL) async throws {
    let response = try await dispatcher.downloadFuture(from: request, to: file).value
    if let error = response.httpError { throw error }  // the older file is still there
}

// row: a download into a folder that isn't there fails
func downloadIntoNewFolder(_ dispatcher: any DownloadDispatcher, _ request: URLRequest) -> ResponseFuture<Response<URL>>
{
    dispatcher.downloadFuture(from: request, to: .temporaryDirectory.appending(path: "films/2026/7.mp4"))
}

// row: a body in memory may be of any size
func makeModestDispatcher() -> URLRequestDispatcher {
    var dispatcher = URLRequestDispatcher()
    dispatcher.maximumBodySize = URLRequestDispatcher.standardMaximumBodySize / 2
    return dispatcher
}

func isTooLarge(_ error: any Error) -> Bool { (error as? TransferError)?.kind == TransferError.Kind.bodyTooLarge }

// row: a header whose value has a line break or a NUL is dropped, or sent
func isInjected(_ request: BasicRequest, at server: URL) -> Bool {
    do {
        _ = try request.urlRequest(withBaseURL: server)
    } catch InvalidRequestError.invalidHeaderValue {
        return true
    } catch {}
    return false
}

// row: the caller's `Transfer-Encoding` is sent, and the server waits for chunks
func sendNoChunks(_ request: URLRequest, by dispatcher: URLRequestDispatcher) -> ResponseFuture<Response<Data?>> {
    var request = request
    request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
    return dispatcher.dataFuture(from: request)
}

// row: a failed download is a Cocoa error
func downloadOntoFolder(_ dispatcher: any DownloadDispatcher, _ request: URLRequest) async throws -> URL? {
    do {
        return try await dispatcher.downloadFuture(from: request, to: .temporaryDirectory).value.data
    } catch let error as FileTransferError where error.kind == .isFolder {
        print(error.file)
        return nil
    }
}

// row: a download takes what comes: coded (gzip), a part of it, more or less than announced
func downloadWhole(_ dispatcher: any DownloadDispatcher, _ request: URLRequest, to file: URL) async throws -> URL? {
    do {
        return try await dispatcher.downloadFuture(from: request, to: file).value.data
    } catch let error as TransferError where error.kind == .badResponse {
        if case .coded(let coding) = error.underlyingError as? FileAnswerError { print(coding) }
        return nil
    }
}

// row: the status of each response is checked by hand, with `httpError`
func checkByHand(_ posts: ResponseFuture<Response<Data?>>) -> ResponseFuture<Response<[Post]>> {
    posts.then { response in
        if let error = response.httpError { throw error }
        return response
    }.decoded([Post].self)
}

func check(_ posts: ResponseFuture<Response<Data?>>) -> ResponseFuture<Response<[Post]>> {
    posts.validated().decoded([Post].self)
}

func reason(_ error: UnacceptableStatusError) -> String? {
    error.headers["X-Reason"] ?? error.bodyText
}

// row: `invalidateAndCancel()` fails running futures with `URLError.cancelled`
extension Screen {
    func logOut(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) {
        dispatcher.dataFuture(from: request)
            .error { error in
                if case URLError.cancelled = error { self.events.append("never") }
            }
            .cancellation { self.events.append("cancelled") }
            .completion { self.events.append("over") }
            .send()
        dispatcher.invalidateAndCancel()
    }
}

// row: a dispatcher that is gone before `send()` leaves the future hanging
func sendLate(_ request: URLRequest) {
    var dispatcher: URLRequestDispatcher? = URLRequestDispatcher()
    let future = dispatcher?.dataFuture(from: request)
    dispatcher = nil
    future?.send()
}

// row: a serializer that is gone leaves the future hanging
final class Server: ServerProvider {
    let baseURL = URL(string: "https://example.com")
}

func askWithoutServer(_ dispatcher: any DataDispatcher, _ request: any Request) async throws -> Data? {
    let future = RequestSerializer(dispatcher: dispatcher, serverProvider: Server()).dataFuture(from: request)
    do { return try await future.value.data } catch RequestError.missingServerProvider { return nil }
}

// row: the average and the share of a data task stay 0 on Linux
func share(of updates: [TransferUpdate]) -> Float { updates.averagePercentTransferred ?? 0 }

// row: the mock has uploads, but no downloads
func downloadFromMock(_ request: URLRequest, to file: URL) async throws -> [Data] {
    let mock = MockURLRequestDispatcher { request in
        Response.makeMockResponse(with: request, data: Data("film".utf8), statusCode: .ok)
    }
    _ = try await mock.downloadFuture(from: request, to: file).value
    return try await mock.streamFuture(from: request).value.data.reduce(into: []) { $0.append($1) }
}

// row: the mock calls its closure inside `send()`
func sendToMock(_ request: URLRequest) {
    let mock = MockURLRequestDispatcher { request in
        print(Thread.isMainThread)  // false
        return Response.makeMockResponse(with: request, statusCode: .ok)
    }
    mock.dataFuture(from: request).send()
}

// row: the mock measures its delay in real time
func makeMock(_ clock: any Clock<Duration>) -> MockURLRequestDispatcher {
    MockURLRequestDispatcher(delay: 60, clock: clock) { request in
        Response.makeMockResponse(with: request, statusCode: .ok)
    }
}

// row: a request without query items ends with a bare `?`
func makeURLWithoutQuery(_ baseURL: URL) throws -> Bool {
    try BasicRequest(method: .get, path: "/posts", queryItems: []).url(withBaseURL: baseURL).query() == nil
}

// row: a path without a leading `/` is `URLError(.badURL)`
func makeRequest(for path: String, _ server: URL) throws -> URLRequest? {
    do {
        return try BasicRequest(method: .get, path: path).urlRequest(withBaseURL: server)
    } catch URLError.badURL {
        return nil  // an old catch, which never matches
    } catch InvalidRequestError.invalidURL(let baseURL, let path) {
        print(baseURL, path)
        return nil
    }
}

// row: `%20` in a path becomes `%2520`
func makeEncodedURL(_ baseURL: URL) throws -> [URL] {
    try ["a%20b", "a b", "%2541"].map { try BasicRequest(method: .get, path: $0).url(withBaseURL: baseURL) }
}

// row: a `+` in a query value is left as it is, and often read as a space
func makeQuery(_ baseURL: URL) throws -> String? {
    let items = [URLQueryItem(name: "q", value: "1 + 1; it's 2")]
    return try BasicRequest(method: .get, path: "/search", queryItems: items).url(withBaseURL: baseURL).query()
}

// row: a `content-type` header and `setJSONBody` make one header of two values
func makeOneContentType() throws -> [String: String] {
    var request = BasicRequest(method: .post, path: "/posts", headers: ["content-type": "application/vnd.api+json"])
    try request.setJSONBody(Post(id: 1, title: "A"))
    return request.headers
}

// row: errors of encoding a body are bare
func encodeInfinity(_ request: inout URLRequest) -> RequestBodyError? {
    do {
        try request.setJSONBody(["a": Double.infinity])
        return nil
    } catch {
        print(error.codingPath, error.underlyingError as Any)
        return error
    }
}

// row: a JSON object with a date or a NaN in it crashes or throws a bare error
func encodeDate(_ request: inout URLRequest) -> RequestBodyError? {
    do {
        try request.setJSONBody(jsonObject: ["date": Date(), "number": Double.nan])
        return nil
    } catch {
        return error
    }
}

// row: `debug()` and Markdown show credentials, and headers in any order; without a URL they crash
func debugResponse(_ response: Response<Data?>) -> String {
    response.debug()
    response.debug(redacting: .none)
    return response.makeRequestMarkdown()
}

// row: every header goes along with a redirect to another server
func keepKey(_ request: inout URLRequest) -> URLRequestDispatcher {
    request.setValue("key", forHTTPHeaderField: "X-API-Key")
    return URLRequestDispatcher(
        redirectPolicy: .decide { redirect, next in
            var next = next
            let key = redirect.urlRequest.value(forHTTPHeaderField: "X-API-Key")
            if next.url?.host() == "example.com" { next.setValue(key, forHTTPHeaderField: "X-API-Key") }
            return next
        })
}

// row: a response body that isn't UTF-8 is shown as an error text; one with a fence ends the fence
func makeMarkdown(of bytes: Data, _ request: URLRequest) throws -> String {
    Response.makeMockResponse(with: request, data: bytes, statusCode: .ok).makeResponseMarkdown()
}

// row: `makeMockJSONResponse` ignores `encoder`, and crashes without a URL
func makeMockDate(_ request: URLRequest) throws -> Response<Data?>? {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    do {
        return try Response.makeMockJSONResponse(with: request, encodable: Date(), statusCode: .ok, encoder: encoder)
    } catch RequestError.missingURL {
        return nil
    }
}

// row: `errorKey` on two kinds of errors, texts fixed
func key(of error: any Error) -> String? {
    ErrorLocalization(bundle: .main, table: "PiuPiu").install()
    let error: (any PiuPiu.LocalizableError)? = error as? any LocalizableError
    return error?.errorKey
}

// row: `decodeJSONObject` throws Foundation's error
func readObject(_ response: Response<Data?>) throws -> [String: Any]? {
    do {
        return try response.decodeJSONObject() as? [String: Any]
    } catch let error as ResponseDecodingError {
        print(error.underlyingError)
        return nil
    }
}

// row: `IntFromStringTransform` and the like are classes
func share(_ formatter: DateFormatter) -> [any Sendable] {
    let dates = DateTransform(formatter: formatter)
    formatter.dateFormat = "yyyy"  // not for `dates`
    return [IntFromStringTransform(), dates]
}

// row: `encodeIfPresent` of a `String?` that is nil, with `EmptyStringTransform`
struct Profile: Encodable {
    enum CodingKeys: CodingKey { case nick }

    let nick: String?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(nick, forKey: .nick, using: EmptyStringTransform())
    }
}

// row: dates of `.rfc3339` have no fractions, and are Julian before 1582
func makeCoders() -> (JSONEncoder, JSONDecoder) {
    let encoder = JSONEncoder(), decoder = JSONDecoder()
    encoder.dateEncodingStrategy = .rfc3339(fractionalDigits: 3)
    decoder.dateDecodingStrategy = .rfc3339
    return (encoder, decoder)
}

// row: an index that isn't there, in `integerValue(atIndex:matching:)` and `stringValue(atIndex:matching:)`, crashes
func readMissingValues(_ url: URL) -> Bool {
    let pattern: [PathComponent] = ["users", .wildcard(type: .integer)]
    return url.integerValue(atIndex: 7, matching: pattern) == nil
        && url.stringValue(atIndex: 7, matching: pattern) == nil
}

// row: `%2F` splits a path segment
func readSlash() -> String? {
    URL(string: "https://example.com/folders/a%2Fb")?
        .stringValue(atIndex: 1, matching: ["folders", .wildcard(type: .string)])
}

// row: `.other(429)` and other codes without a case
func isThrottled(_ status: StatusCode) -> Bool {
    if status == .other(429) { return true }
    switch status {
    case .tooManyRequests: return true
    default: return false
    }
}
