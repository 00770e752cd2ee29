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

func countOnMain(_ posts: ResponseFuture<HTTPResponse<Data?>>) -> ResponseFuture<Int> {
    posts.safeDecoded([Post].self).thenResult(on: .main) { response in try response.get().data.get().count }
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

// row: `success`, the new `status` and `completion` come in one turn of the main queue
extension Screen {
    func loadBoth(_ post: ResponseFuture<Post>, _ other: ResponseFuture<Post>) {
        for future in [post, other] {
            future.success { post in self.title = post.title }
                .completion { if future.status == .success { self.events.append("over") } }
                .send()
        }
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

@MainActor
final class Login {
    private var promise: ResponseFuture<Int>?
    private(set) var loginFuture: ResponseFuture<Int>?

    func begin() {
        let (future, promise) = ResponseFuture<Int>.pending()
        self.promise = promise
        self.loginFuture = future
        future.send()
    }

    func end(with user: Int) { promise?.succeed(with: user) }
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

// row: `safeResult` and `fulfill` hang when their future is cancelled
extension Screen {
    func cancelPart(_ part: ResponseFuture<Int>) {
        let target = ResponseFuture<Int> { _ in }.cancellation { self.events.append("target") }
        part.fulfill(target)
        part.safeResult().cancellation { self.events.append("safe") }.send()
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
