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
                if case CocoaError.userCancelled = error { self.events.append("never") }
                if error is CancellationError { self.events.append("never") }
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
    do {
        try Data("older".utf8).write(to: file)
        return try Data(contentsOf: await dispatcher.downloadFuture(from: request, to: file).value.data)
    } catch let error as FileTransferError where error.kind == .isFolder {
        return Data()
    }
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

func request(for url: URL, from referer: String) throws -> URLRequest {
    try URLRequest(url: url, method: .get, headers: ["Referer": referer])
}

func authorize(_ request: URLRequest, with token: String) throws -> URLRequest {
    var request = request
    try request.setBearerAuthorization(token)
    return request
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

// row: a `URLProtocol` in the configuration's `protocolClasses` answers on every platform
func makeStubbedDispatcher(_ stub: URLProtocol.Type) -> URLRequestDispatcher {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [stub]  // not URLProtocol.registerClass(stub)
    return URLRequestDispatcher(engine: .urlSession(configuration))
}

// row: a background configuration goes on without the app
func continueDownload(_ dispatcher: URLRequestDispatcher, _ request: URLRequest, to file: URL) {
    dispatcher.downloadFuture(from: request, to: file, isResumable: true).send()
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

// row: the mock gives an answer to HEAD, a 204 and a 304 the body that its closure made
func hasNoBody(_ request: URLRequest) async throws -> Bool {
    let mock = MockURLRequestDispatcher { request in
        Response.makeMockResponse(with: request, data: Data("left out".utf8), statusCode: .noContent)
    }
    return try await mock.dataFuture(from: request).value.data == nil
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
