import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct Post: Codable, Sendable {
    let title: String
}

/// Failures arrive as the documented, typed errors, at awaiters and at callbacks alike.
@Suite("Typed errors in both styles", .timeLimit(.minutes(10)))
struct TypedErrorTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    /// The error that an awaiter gets, and a check that the callbacks get the same.
    private func error<Success>(of future: ResponseFuture<Success>) async throws -> any Error {
        let awaited = await #expect(throws: (any Error).self) { try await future.value }
        let delivered = await withCheckedContinuation { continuation in
            _ = future.error { continuation.resume(returning: $0) }
        }
        let error = try #require(awaited)
        #expect(String(describing: error) == String(describing: delivered))
        #expect(error is any LocalizedError)
        #expect(!error.localizedDescription.isEmpty)
        return error
    }

    private func transferError(_ text: String) async throws -> TransferError.Kind {
        let url = try #require(URL(string: text))
        let error = try await error(of: dispatcher.dataFuture(from: URLRequest(url: url, method: .get)))
        return try #require(error as? TransferError).kind
    }

    @Test("The error of malformed JSON names the URL, the status and the place")
    func malformedJSON() async throws {
        let malformed = dispatcher.dataFuture(from: server.request("/malformed-json"))
        let error = try #require(try await error(of: malformed.decoded(Post.self)) as? ResponseDecodingError)
        #expect(error.url == server.url("/malformed-json"))
        #expect(error.statusCode == .ok)
        #expect(error.underlyingError is DecodingError)

        let mismatch = dispatcher.dataFuture(from: server.request("/users"))
        let other = try #require(try await self.error(of: mismatch.decoded([Post].self)) as? ResponseDecodingError)
        #expect(other.codingPath == "[0].title")
    }

    @Test("An empty body")
    func emptyBody() async throws {
        let future = dispatcher.dataFuture(from: server.request("/empty"))
        #expect(try await future.value.data == nil)
        #expect(try await error(of: future.decoded(Post.self)) as? ResponseError == .unexpectedEmptyResponse)
        #expect(try await error(of: future.decodedString()) as? ResponseError == .unexpectedEmptyResponse)
    }

    @Test("A response that isn't HTTP")
    func notHTTP() async throws {
        let url = try #require(URL(string: "data:application/json,%7B%22title%22:%22local%22%7D"))
        let future = dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
        #expect(try await future.decoded(Post.self).value.data.title == "local")
        #expect(try await error(of: future.makeHTTPResponse()) as? ResponseError == .notHTTPResponse)
    }

    @Test("A refused port and an unresolvable host")
    func unreachable() async throws {
        #expect(try await transferError(server.refusingURL().absoluteString) == .cannotConnect)
        #expect(try await transferError("http://nobody.invalid/") == .hostNotFound)
    }

    @Test("A URL that can't be requested", arguments: ["relative/path", "ftp://example.com/", "http:///path"])
    func badURL(text: String) async throws {
        let url = try #require(URL(string: text))
        let error = try await error(of: dispatcher.dataFuture(from: URLRequest(url: url, method: .get)))
        #expect(error is InvalidRequestError)
    }

    @Test("An HTTP error that a chain throws")
    func httpError() async throws {
        let future = dispatcher.dataFuture(from: server.request("/nowhere"))
            .makeHTTPResponse()
            .then { response in if let error = response.httpError { throw error } }
        let error = try #require(try await error(of: future) as? HTTPError)
        #expect(error.statusCode == .notFound)
    }
}
