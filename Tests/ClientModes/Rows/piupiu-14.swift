import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Post: Codable, Sendable {
    let id: Int
    let userId: Int
}

struct User: Codable, Sendable {
    let id: Int
}

func user(_ id: Int) -> ResponseFuture<User> { ResponseFuture(result: User(id: id)) }

// row: `response(_:)`
// deprecated: response
func attachResponse(to post: ResponseFuture<Post>) {
    post.response({ post in print(post.id) }).send()
    post.success { post in print(post.id) }.send()
}

// row: `join({ value in … })`
// deprecated: join
func joinInSeries(_ post: ResponseFuture<Post>) -> [ResponseFuture<(Post, User)>] {
    [
        post.join({ value -> ResponseFuture<User>? in user(value.userId) }),
        post.seriesJoin(callback: { value in user(value.userId) }),
    ]
}

// row: `join({ … })` without a parameter
// deprecated: join
func joinInParallel(_ post: ResponseFuture<Post>) -> [ResponseFuture<(Post, User)>] {
    [post.join({ user(1) }), post.parallelJoin(callback: { user(1) })]
}

// row: `replace({ … })`
// deprecated: replace
func replace(_ post: ResponseFuture<Post>) -> [ResponseFuture<User>] {
    [
        post.replace({ post -> ResponseFuture<User>? in user(post.userId) }),
        post.replace(callback: { post in user(post.userId) }),
    ]
}

// row: `thenError`
// deprecated: thenError
func recover(_ number: ResponseFuture<Int>) -> [ResponseFuture<Int>] {
    [
        number.thenError({ value, error -> Int in
            if let error = error { throw error }
            return value ?? 0
        }),
        number.thenResult { result in try result.get() },
        number.thenResult(on: .main) { result in try result.get() },
    ]
}

// row: `nonFailing()`, `NonFailingResult`
// deprecated: nonFailing, NonFailingResult
func makeSafe(_ number: ResponseFuture<Int>) -> ResponseFuture<Result<Int, Error>> {
    let old: ResponseFuture<NonFailingResult<Int, Error>> = number.nonFailing()
    old.send()
    return number.safeResult()
}

// row: `fulfill(by:)`, `fulfill(with:)`
// deprecated: fulfill
func hand(_ other: ResponseFuture<Int>, to future: ResponseFuture<Int>, _ third: ResponseFuture<Int>) {
    future.fulfill(by: other)
    third.fulfill(with: other)
    other.fulfill(ResponseFuture<Int> { future in print(future.status) })
}

// row: `progress(_:)`, `progress`, `update(progress:)`
// deprecated: progress, update
func measure(_ film: ResponseFuture<Int>) async {
    film.progress({ progress in print(progress) }).send()
    print(film.progress)
    film.update(progress: 0.5)
    film.updated { update in print(update.percentTransferred ?? 0) }.success { _ in print("after 1") }.send()
    film.update(with: TransferUpdate(stage: .received, progress: TransferProgress(bytesReceived: 1)))
    for await progress in film.progressUpdates() { print(progress.fractionTransferred ?? 0) }
}

// row: `order`, `init(order:…)`
// deprecated: init, order
func makeFutures() -> [ResponseFuture<Int>] {
    let futures = [
        ResponseFuture<Int>(order: 2, result: 1), ResponseFuture<Int>(order: 2, action: { $0.succeed(with: 1) }),
    ]
    print(futures.map { $0.order })
    return futures + [ResponseFuture<Int>(result: 1), ResponseFuture<Int>(action: { $0.succeed(with: 1) })]
}

// row: `updated { (task: URLSessionTask) in }`
// deprecated: updated
func follow(_ film: ResponseFuture<Int>) {
    film.updated { (task: URLSessionTask) in
        print(task.taskIdentifier, task.percentTransferred ?? 0, task.progress.fractionCompleted)
        task.cancel()
    }.send()
    film.updated { update in print(update.percentTransferred ?? 0) }.send()
}

// row: `update(with: task)`
// deprecated: update
func tell(_ film: ResponseFuture<Int>, _ task: URLSessionTask, _ progress: TransferProgress) {
    film.update(with: task)
    let update: TransferUpdate = TransferUpdate(stage: .sent, progress: progress)
    film.update(with: update)
}

// row: `ActionCallback`
func make(_ action: @escaping ResponseFuture<Int>.ActionCallback) -> ResponseFuture<Int> {
    let sendable: @Sendable (ResponseFuture<Int>) throws -> Void = action
    return ResponseFuture<Int>(action: sendable)
}

// row: `SuccessHandler`, `ErrorHandler`, `CompletionHandler`, `CancellationHandler`, `TaskCallback`, `ProgressCallback`
// deprecated: SuccessHandler, ErrorHandler, CompletionHandler, CancellationHandler, TaskCallback, ProgressCallback, updated, progress
func attach(
    to future: ResponseFuture<Int>, _ success: @escaping ResponseFuture<Int>.SuccessHandler,
    _ error: @escaping ResponseFuture<Int>.ErrorHandler, _ completion: @escaping ResponseFuture<Int>.CompletionHandler,
    _ cancellation: @escaping ResponseFuture<Int>.CancellationHandler,
    _ updated: @escaping ResponseFuture<Int>.TaskCallback, _ progress: @escaping ResponseFuture<Int>.ProgressCallback,
    _ typed: @escaping @MainActor (Int) throws -> Void
) {
    future.success(success).error(error).completion(completion).cancellation(cancellation)
        .updated(updated).progress(progress).send()
    future.success(typed).send()
}

// refused: func end(_ done: @escaping ResponseFuture<Int>.CompletionHandler) { done() }
// refused: final class Client { weak var adapter: URLRequestAdapter? }

// row: `T` of a future, of a response
// deprecated: T
extension ResponseFuture where T == Response<Data?> {
    func names() -> ResponseFuture<String> { then({ _ in "" }) }
}

extension ResponseInterface where T == Data? {
    func count() -> Int { data?.count ?? 0 }
}

extension ResponseFuture where Success == Response<Data?> {
    func counts() -> ResponseFuture<Int> { then { response in response.bytes() } }
}

extension ResponseInterface where Body == Data? {
    func bytes() -> Int { data?.count ?? 0 }
}

// row: `response.error`, `StatusCode.error`
// deprecated: error
func check(_ response: Response<Data?>, _ statusCode: StatusCode) throws {
    do {
        if let error: ResponseError = response.error ?? statusCode.error { throw error }
    } catch ResponseError.notFound {
        print("not found")
    }
    do {
        if let error: HTTPError = response.httpError ?? statusCode.httpError { throw error }
    } catch HTTPError.clientError(.notFound) {
        print("not found")
    }
}

// row: `ResponseError.notFound` and ten more
func text(of error: ResponseError, _ httpError: HTTPError) -> String {
    if httpError == HTTPError.clientError(.notFound) { return "not found" }
    switch error {
    case ResponseError.notFound: return "not found"
    case .badRequest, .unauthorized, .forbidden, .conflict, .unprocessableEntity, .otherClientError: return "client"
    case .internalServerError, .serviceUnavailable: return "server"
    case .otherServerError: return error.errorKey
    case .unknown: return "unknown"
    default: return "new"
    }
}

// row: `SerializationError`
// deprecated: SerializationError
func decodeOrTell(_ response: Response<Data?>) throws -> Post? {
    do {
        return try response.decode(Post.self)
    } catch SerializationError.unexpectedEmptyResponse {
        return nil  // an old catch, which never matches
    } catch ResponseError.unexpectedEmptyResponse {
        return nil
    } catch let error as ResponseDecodingError {
        throw SerializationError(error) ?? error
    }
}

// row: `TransformError` of `DateTransform`, `URLTransform`, `IntFromStringTransform`
// deprecated: TransformError
func place(of error: Error) -> String? {
    switch error {
    case DateTransform.TransformError.invalidDateFormat: return "date"
    case URLTransform.TransformError.invalidURL: return "url"
    case IntFromStringTransform.TransformError.invalidIntegerString: return "number"
    case DecodingError.dataCorrupted(let context): return context.debugDescription
    default: return nil
    }
}

// row: `decode(X.self)` of RFC 3339 dates
func decodeDates(_ response: Response<Data?>) throws -> [[Date]] {
    struct X: Decodable { let dates: [Date] }
    return [
        try response.decode(X.self).dates, try response.decode(X.self, dateDecodingStrategy: .rfc3339).dates,
        try response.decoded(X.self, dateDecodingStrategy: .rfc3339).data.dates,
        try response.decodeIfPresent(X.self, dateDecodingStrategy: .rfc3339)?.dates ?? [],
    ]
}

// row: `response.statusCode`, `.httpResponse` of `Response`
// deprecated: statusCode, httpResponse
func head(of response: Response<Data?>) throws -> [Any] {
    let http: HTTPResponse<Data?> = try response.makeHTTPResponse()
    return [response.statusCode, response.httpResponse, http.statusCode, http.httpResponse]
}

// row: `response.urlRequest`
func compare(_ first: URLRequest, _ dispatcher: DataDispatcher) {
    dispatcher.dataFuture(from: first)
        .success { response in print(first, response.urlRequest) }
        .send()
}

// row: `SuccessResponse`, `NetworkSerializer`
// deprecated: SuccessResponse, NetworkSerializer
func serialize(_ dispatcher: DataDispatcher, _ provider: ServerProvider, _ response: Response<Data?>) throws {
    let old = NetworkSerializer(dispatcher: dispatcher, serverProvider: provider)
    let new: RequestSerializer = old
    let success: SuccessResponse<Data?> = try response.makeHTTPResponse()
    let http: HTTPResponse<Data?> = success
    print(new, http)
}

// row: `init(data:httpResponse:urlRequest:statusCode:)`
// deprecated: init
func copy(_ response: HTTPResponse<Data?>) -> [Response<Data?>] {
    [
        Response(
            data: response.data, httpResponse: response.httpResponse, urlRequest: response.urlRequest,
            statusCode: response.statusCode),
        Response(data: response.data, urlRequest: response.urlRequest, urlResponse: response.httpResponse),
    ]
}

// row: `printRequest()`, `printResponse()`
// deprecated: printRequest, printResponse
func debug(_ response: Response<Data?>) {
    response.printRequest()
    response.printResponse()
    response.debug()
    print(response.makeRequestMarkdown())
}

// row: `downloadFuture(from:)` of `Data`, in 1.5 of a temporary file
// deprecated: downloadFuture
func download(_ dispatcher: DownloadDispatcher & DataDispatcher, _ request: URLRequest, to file: URL) {
    let old: ResponseFuture<Data?> = dispatcher.downloadFuture(from: request)
    old.send()
    dispatcher.downloadFuture(from: request, to: file).send()
    dispatcher.dataFuture(from: request).send()
}

// row: `uploadFuture(from:data:)`
// deprecated: uploadFuture
func upload(_ dispatcher: UploadDispatcher, _ request: URLRequest, _ data: Data) {
    dispatcher.uploadFuture(from: request, data: data).send()
    dispatcher.uploadFuture(from: request, with: data).send()
}

// row: `ResponseFutureSession`
// deprecated: ResponseFutureSession
class LoggingSession: ResponseFutureSession {
    override func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        print(urlRequest)
        return super.dataFuture(from: urlRequest)
    }
}

#if swift(>=6)
    extension LoggingSession: @unchecked Sendable {}
#endif

func send(_ task: URLSessionDataTask, _ request: URLRequest, _ engine: any TransferEngine) {
    LoggingSession().dataFuture(from: task).send()
    URLRequestDispatcher(engine: engine).dataFuture(from: request).send()
}

// row: `transform(value:)`, `transform(json:)`, `ValueDesitination`
// deprecated: from, toJSON, transform, ValueDesitination
struct OldTransform: Transform {
    typealias ValueDesitination = Bool

    func transform(json: Int) throws -> Bool { json != 0 }
    func transform(value: Bool) throws -> Int { value ? 1 : 0 }
}

struct NewTransform: Transform {
    typealias ValueDestination = Bool

    func from(json: Int, codingPath: [any CodingKey]) throws -> Bool { json != 0 }
    func toJSON(_ value: Bool, codingPath: [any CodingKey]) throws -> Int { value ? 1 : 0 }
}

func convert<Old: Transform>(_ old: Old, _ json: Old.JSONSource) throws -> Old.ValueDesitination {
    try old.transform(json: json)
}
