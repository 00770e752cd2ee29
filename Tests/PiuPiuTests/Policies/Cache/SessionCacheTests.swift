import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: over a session that has a cache, too", .serialized, .timeLimit(.minutes(10)))
struct SessionCacheTests {
    /// Answers each request itself, and notes which cache the session may use.
    private final class PolicyProbe: URLProtocol {
        static let policies = Locked<[URLRequest.CachePolicy]>([])

        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func stopLoading() {}

        override func startLoading() {
            let policy = request.cachePolicy
            Self.policies.withLock { $0.append(policy) }
            if let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=9"])
            {
                client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            }
            client?.urlProtocol(self, didLoad: Data("body".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private func policy(_ dispatcher: URLRequestDispatcher, range: String? = nil) async throws -> [UInt] {
        PolicyProbe.policies.withLock { $0 = [] }
        var request = URLRequest(url: try url("http://host/"))
        request.setValue(range, forHTTPHeaderField: "Range")
        #expect(try await dispatcher.dataFuture(from: request).value.data == Data("body".utf8))
        return PolicyProbe.policies.withLock { $0.map(\.rawValue) }
    }

    @Test("What goes through the cache bypasses the one of the session, a range, too")
    func policies() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [PolicyProbe.self]
        let dispatcher = URLRequestDispatcher(engine: .urlSession(configuration))
        let cached = dispatcher.cached(in: HTTPCache())
        let (usual, bypassing) = (
            URLRequest.CachePolicy.useProtocolCachePolicy, URLRequest.CachePolicy.reloadIgnoringLocalCacheData
        )
        #expect(try await policy(dispatcher) == [usual.rawValue])
        #expect(try await policy(cached) == [bypassing.rawValue])
        #expect(try await policy(cached, range: "bytes=0-") == [bypassing.rawValue])
    }
}
