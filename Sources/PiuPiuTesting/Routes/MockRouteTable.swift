public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A mock of a server: the first route that matches a request's method and path answers it.
///
/// ```swift
/// let server = MockRouteTable(routes: [
///     MockRoute(.get, ["posts", .wildcard(type: .integer)]) { request, values in
///         let id = values[1].integerValue ?? 0
///         return try Response.makeMockJSONResponse(with: request, encodable: Post(id: id), statusCode: .ok)
///     },
///     MockRoute(.get, ["users"], MockScript([.status(.serviceUnavailable), .json(users)])),
/// ])
/// let post = try await server.dataFuture(from: request).decoded(Post.self).value
/// ```
///
/// An immutable value; its copies share only the progress of its scripts. To let the other requests through to a real
/// server, end the table with a route that asks one:
/// `MockRoute { request, _ in try await network.dataFuture(from: request).value }`, or for streams
/// `MockRoute(.stream { request, _ in try await network.streamFuture(from: request).value })`, whose chunks arrive as the
/// server sends them; there the other futures collect a body of any size, without its metrics. A download fails if the
/// server has sent the body compressed, as a decoded body can't be checked for completeness: let the route set
/// `Accept-Encoding` to `identity`.
public struct MockRouteTable: MockDispatcher {
    /// The routes, the first choice first.
    public let routes: [MockRoute]

    private let clock: any Clock<Duration>

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - clock: measures the latency of the answers. With a ``ManualClock`` a test takes no real time.
    ///   - routes: the routes, the first choice first.
    public init(clock: any Clock<Duration> = ContinuousClock(), routes: [MockRoute]) {
        self.clock = clock
        self.routes = routes
    }

    /// A table whose one script answers every request.
    public init(clock: any Clock<Duration> = ContinuousClock(), script: MockScript) {
        self.init(clock: clock, routes: [MockRoute(script)])
    }

    /// The answer of the first matching route, after its latency.
    ///
    /// - Throws: ``MockError`` if there is no route, or no answer or chunks left, `RequestError.missingURL` if the
    ///   request has no URL, the error of the handler, and a `CancellationError` as soon as the task is cancelled.
    public func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
        let (answer, values) = try answer(for: urlRequest)
        return try await answer.response(to: urlRequest, values, clock: clock)
    }

    /// The same for a stream; ``MockAnswer/stream(_:)`` and ``MockAnswer/chunks(_:status:headers:)`` arrive chunk by chunk.
    public func streamAnswer(to urlRequest: URLRequest) async throws -> Response<StreamedBody> {
        let (answer, values) = try answer(for: urlRequest)
        return try await answer.streamedResponse(to: urlRequest, values, clock: clock)
    }

    private func answer(for urlRequest: URLRequest) throws -> (MockAnswer, [PathValue]) {
        guard let url = urlRequest.url else { throw RequestError.missingURL }
        let method = urlRequest.httpMethod ?? "GET"
        for route in routes {
            guard let values = route.values(of: method, url) else { continue }
            guard let answer = route.script.next() else {
                throw MockError.usedUp(method: method, url: url, answerCount: route.script.answerCount)
            }
            return (answer, values)
        }
        throw MockError.noRoute(method: method, url: url, routes: routes.map(\.description))
    }
}
