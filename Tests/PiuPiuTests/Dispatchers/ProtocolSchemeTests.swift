import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of another scheme than HTTP's, which a `URLProtocol` answers.
@Suite("Schemes of a URLProtocol", .timeLimit(.minutes(10)))
struct ProtocolSchemeTests {
    /// Answers `stub:` URLs with their path.
    private final class StubProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "stub" }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url,
                let head = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["X-Stub": "yes"])
            else { return }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(url.path().utf8))
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }

    private var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }

    private func request(_ text: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: text))) }

    @Test("a class of the configuration answers its own scheme", arguments: ["stub://posts/1", "stub:///1"])
    func answered(url: String) async throws {
        let dispatcher = URLRequestDispatcher(engine: .urlSession(configuration))
        let response = try await dispatcher.dataFuture(from: request(url)).makeHTTPResponse().value
        #expect(response.statusCode == .ok)
        #expect(response.data == Data("/1".utf8))
    }

    @Test("so it does below a decorator, and with headers of the configuration")
    func decorated() async throws {
        let configuration = configuration
        configuration.httpAdditionalHeaders = ["X-Client": "test"]
        let dispatcher = URLRequestDispatcher(engine: .urlSession(configuration)).limited(to: 2).breaking()
        let response = try await dispatcher.dataFuture(from: request("stub://posts/1")).value
        #expect(response.data == Data("/1".utf8))
        #expect(response.urlRequest.value(forHTTPHeaderField: "X-Client") == "test")
    }

    @Test(
        "every other scheme is refused, also those that only the system's classes take",
        arguments: [
            "other://posts/1", "ftp://127.0.0.1/1", "ws://127.0.0.1/1",
        ])
    func refused(url: String) async throws {
        let request = try request(url)
        let error = InvalidRequestError.unsupportedScheme(
            try #require(request.url?.scheme), url: try #require(request.url))
        let stubbed = URLRequestDispatcher(engine: .urlSession(configuration))
        await #expect(throws: error) { try await stubbed.dataFuture(from: request).value }
        let plain = URLRequestDispatcher(engine: .urlSession(.ephemeral))
        await #expect(throws: error) { try await plain.dataFuture(from: request).value }
    }
}
