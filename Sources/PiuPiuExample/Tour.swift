import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tour; each step is a file.
struct Tour: Sendable {
    let baseURL: URL
    let dispatcher: any DataDispatcher & DownloadDispatcher & StreamDispatcher
    let transcript: Transcript

    /// The tour's own server; `nil` if the tour is of another one.
    var server: LoopbackServer?

    func run() async throws {
        try await checkServer()
        await callbackChain()
        await step("2. The same futures, awaited", awaitedFutures)
        await step("3. A task group", taskGroup)
        await cancellation()
        await httpError()
        await step("6. A mock in place of the network", mock)
        await step("7. A download with a progress bar", download)
        await step("8. A streamed body: server-sent events, lines", stream)
        await step("9. A mock with routes, and a recorded reply", routesAndRecordings)
        await step("10. A server that fails now and then: retries, in one line", retry)
        await step("11. Statuses that nobody has to look at", validation)
        await step("12. A token that expires, in ten lines", tokenRefresh)
        await step("13. Too late: a deadline, and a second copy", lateAnswers)
        await step("14. Below the adapters: equal requests, limits, a breaker", decorations)
        await step("15. What was sent, and how it went", observation)
    }

    /// A part of the tour in which every error is a failure.
    private func step(_ title: String, _ body: () async throws -> Void) async {
        transcript.title(title)
        do { try await body() } catch { transcript.expect(false, "no error, but: \(error.localizedDescription)") }
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

    /// Fails early, with a clear error, if no server answers.
    private func checkServer() async throws {
        transcript.title("0. Is anybody there?")
        let response = try await dispatcher.dataFuture(from: request("posts/1")).makeHTTPResponse().value
        guard response.statusCode == .ok else { throw UnfitServer(url: baseURL, statusCode: response.statusCode) }
        transcript.note("\(baseURL) answers \(response.statusCode.rawValue)")
    }
}

/// A server that answers, but not like jsonplaceholder.
struct UnfitServer: LocalizedError {
    let url: URL
    let statusCode: StatusCode

    var errorDescription: String? {
        let status = "\(statusCode.rawValue) (\(statusCode.localizedDescription))"
        return "\(url) answers /posts/1 with \(status); the tour needs a server like jsonplaceholder."
    }
}
