import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Headers for all requests", .timeLimit(.minutes(10)))
struct HeaderAdapterTests {
    @Test("A header that the request lacks is set, and one that it has stays, whatever the case of its name")
    func lacking() async throws {
        var request = try fixtureRequest("https://example.com/posts")
        request.setValue("own", forHTTPHeaderField: "accept-language")
        let adapter: any RequestAdapter = .headers(["Accept-Language": "da", "X-App": "Blog/2.1", "x-app": "other"])
        let adapted = try await adapter.adapt(request)
        #expect(adapted.value(forHTTPHeaderField: "Accept-Language") == "own")
        #expect(adapted.value(forHTTPHeaderField: "X-App") == "Blog/2.1" && adapted.allHTTPHeaderFields?.count == 2)
    }

    @Test(
        "A header that can't be sent is an error, also over a mock",
        arguments: [("X-A", "a\r\nX-B: b"), ("X A", "a"), ("", "a"), ("X-A:", "a"), ("X-A", "a\0")])
    func invalid(name: String, value: String) async throws {
        let request = try fixtureRequest("https://example.com/posts"), url = try #require(request.url)
        let mock = MockURLRequestDispatcher { request in Response.makeMockResponse(with: request, statusCode: .ok) }
        let dispatchers: [any DataDispatcher] = [
            URLRequestDispatcher().adapting(requestAdapter: .headers([name: value])),
            mock.adapting(requestAdapter: .headers([name: value])),
        ]
        for dispatcher in dispatchers {
            let error = await #expect(throws: InvalidRequestError.self) {
                _ = try await dispatcher.dataFuture(from: request).value
            }
            let isValue = name == "X-A"
            #expect(error == (isValue ? .invalidHeaderValue(name: name, url: url) : .invalidHeaderName(name, url: url)))
        }
    }
}
