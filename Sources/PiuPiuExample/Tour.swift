import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tour, step by step; each step is a file.
struct Tour: Sendable {
    let baseURL: URL
    let dispatcher: any DataDispatcher
    let transcript: Transcript

    func run() async throws {
        try await checkServer()
        await callbackChain()
        try await awaitedFutures()
        try await taskGroup()
        await cancellation()
        await httpError()
        try await mock()
    }

    func request(_ path: String) -> URLRequest {
        URLRequest(url: baseURL.appending(path: path), method: .get)
    }

    func post(_ id: Int) -> ResponseFuture<Post> {
        dispatcher.dataFuture(from: request("posts/\(id)"))
            .makeHTTPResponse()
            .then { response in
                if let error = response.httpError { throw error }
                return try response.decode(Post.self)
            }
    }

    func user(_ id: Int) -> ResponseFuture<User> {
        dispatcher.dataFuture(from: request("users/\(id)")).decoded(User.self).then { $0.data }
    }

    /// Fails early, with a clear error, if there is nobody to talk to.
    private func checkServer() async throws {
        transcript.title("0. Is anybody there?")
        let response = try await dispatcher.dataFuture(from: request("posts/1")).makeHTTPResponse().value
        transcript.note("\(baseURL) answers \(response.statusCode.rawValue)")
    }
}
