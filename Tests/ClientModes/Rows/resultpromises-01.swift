import Foundation
import PiuPiu
import ResultPromises

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Codable, Sendable {
    let id: Int
    let name: String
}

@MainActor
final class UsersScreen {
    var users: [User] = []
    func show(_ text: String) {}
}

// row: `Result<T>`, `map`, `flatMap`, `resolve()`
func names(_ result: Result<User>) throws -> [String] {
    let name: Result<String> = result.map { user in user.name }.flatMap { .success(value: $0) }
    let swiftResult: Swift.Result<String, any Error> = Swift.Result(name)
    return [
        try name.resolve(), try swiftResult.get(), try Result(swiftResult).resolve(), try name.swiftResult.get(),
    ]
}

// row: `Promise<Value>()`, `resolve(state:)`, `resolve(result:)`, `resolve(error:)`
func resolve(_ state: Result<Int>) -> ResponseFuture<Int> {
    let promise = Promise<Int>(), other = Promise<Int>(), third = Promise<Int>()
    promise.resolve(state: state)
    other.resolve(result: 1)
    third.resolve(error: URLError(.badURL))
    return ResponseFuture { future in future.succeed(with: 1) }
}

func wrap<Value: Sendable>(_ value: Value) -> Promise<Value> {
    let promise = Promise<Value>()
    promise.resolve(result: value)
    return promise
}

// row: `promise.resolve(success:)`, in its README
func resolveOnce(_ promise: Promise<Int>) {
    // refused: promise.resolve(success: 1)
    promise.resolve(result: 1)
}

// row: `onSuccess`, `onError`, `onComplete`
extension UsersScreen {
    func load(_ promise: Promise<[User]>) async throws {
        promise.onSuccess { users in self.users = users }
            .onError { error in self.show("\(error)") }
            .onComplete { result in self.show("\(result)") }
        promise.future().success { users in self.users = users }.send()
        users = try await promise.value
    }
}

// row: `onSpecificError(errorType:handler:)` of 0.2.0
func recover(_ promise: Promise<Int>) async throws {
    promise.onSpecificError(errorType: URLError.self, handler: { error in print(error.code) })
    do {
        print(try await promise.value)
    } catch let error as URLError {
        print(error.code)
    }
}

// row: `then(mapper:)`, three of them
func map(_ promise: Promise<Int>) async {
    let text = promise.then(mapper: { @Sendable (number) -> String in "\(number)" })
    let checked = promise.then(mapper: { (number) -> Result<Int> in .success(value: number) })
    let replaced = promise.then(mapper: { (number) -> Promise<Int> in wrap(number + 1) })
    do {
        print(try await text.value, try await checked.value, try await replaced.value)
        print(try await promise.future().then { $0 + 1 }.flatMap { ResponseFuture(result: $0) }.value)
    } catch FutureError.waitsForItself {
        print("a mapper has returned its own promise")
    } catch {
        print(error)
    }
}

// row: touching a promise from its own handler hangs
func touch(_ promise: Promise<Int>) {
    promise.onSuccess { _ in
        promise.onSuccess { number in print(number) }
        promise.resolve(result: 2)
    }
}

// row: a child resolved by hand ends twice when its parent fails
func resolveChild(of parent: Promise<Int>) {
    let child = parent.then { $0 + 1 }
    child.onComplete { result in print(result) }
    child.resolve(result: 1)
    parent.resolve(error: URLError(.badURL))
}

// row: callbacks stay for ever
extension UsersScreen {
    func attach(to promise: Promise<[User]>) {
        promise.onSuccess { users in self.users = users }
        promise.resolve(result: [])  // lets go of self
    }
}

// row: a dropped promise that nobody resolves vanishes
func drop() async throws -> Int {
    do { return try await Promise<Int>().value } catch FutureError.abandoned { return 0 }
}

// row: no cancellation
func leave(_ promise: Promise<Int>) {
    let task = Task { try await promise.value }
    task.cancel()
    let future = promise.future()
    future.send()
    future.cancel()
    promise.onSuccess { number in print(number) }  // goes on
}

// row:
func cross(_ promise: Promise<Int>, _ responseFuture: ResponseFuture<Int>) async throws {
    promise.future().success { number in print(number) }.send()
    print(try await promise.value)
    responseFuture.promise().onError { error in
        if error is CancellationError { print("cancelled") }
    }
}

// row: `URLRequestable`
struct UsersRequest: URLRequestable {
    func urlRequest() -> URLRequest? { "example.com/users".urlRequest() }
}

// row: `fetch`, `fetchData`, `fetchRESTObject`
func fetch(_ dispatcher: any DataDispatcher, _ request: URLRequest) async throws -> [[User]] {
    let raw: Promise<(Data?, HTTPURLResponse)> = URLSession.shared.fetch(from: UsersRequest())
    raw.onError { error in
        if case NetworkError.network(let error as InvalidRequestError) = error { print(error) }
        print(NetworkError.network(error: InvalidRequestError.missingURL))
    }
    URLSession.shared.fetchData(from: request).onSuccess { data in print(data.count) }
    let users: Promise<[User]> = URLSession.shared.fetchRESTObject(from: "example.com/users")
    return [
        try await users.value, try await dispatcher.dataFuture(from: request).decoded([User].self).value.data,
    ]
}

// row: `NetworkError`, `RequestsError`, `HttpMethod`
extension NetworkError: @retroactive LocalizedError {
    /// The app's own text.
    public var errorDescription: String? { "Try again" }
}

func text(of error: any Error, _ method: HttpMethod) -> String {
    switch error {
    case NetworkError.http(let code): "\(method.rawValue) \(code)"
    case RequestsError.toBeDone: "later"
    case let error as TransferError: "\(error.kind)"
    case let error as HTTPError: [HTTPMethod.get.rawValue, error.localizedDescription].joined(separator: ": ")
    case let error as ResponseDecodingError: error.codingPath
    default: error.localizedDescription
    }
}

// row: `URLRequest.requestFor(…)`
func makeRequest(_ user: User, _ baseURL: URL) async throws -> URLRequest {
    do {
        return try await URLRequest.requestFor(path: "example.com/users", method: .post, parameters: ["id": 1]).value
    } catch RequestsError.URLGeneration {
        var request = BasicRequest(method: .post, path: "/users")
        try request.setJSONBody(user)
        return try request.urlRequest(withBaseURL: baseURL)
    } catch RequestsError.serialization {
        return URLRequest(url: baseURL)
    }
}
