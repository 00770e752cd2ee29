import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("ResponseFailure: errors that name their request", .timeLimit(.minutes(10)))
struct ResponseFailureTests {
    private let address = "https://user:word@example.com/posts?token=secret#part"

    @Test("A failure in a response names method, URL and status, and hides the secrets of the URL")
    func inResponse() throws {
        let response = try fixtureResponse(nil, statusCode: .noContent, url: address)
        let failure = try #require(throws: ResponseFailure.self) {
            try response.namingFailures { try $0.decodeString() }
        }
        #expect(failure.responseError == .unexpectedEmptyResponse)
        #expect(failure.httpError == nil)
        #expect(failure.statusCode == .noContent)
        #expect(failure.method == "GET")
        #expect(failure.url?.absoluteString == address)
        let inner = ResponseError.unexpectedEmptyResponse.localizedDescription
        #expect(
            failure.localizedDescription == "The request GET https://example.com/posts?… (204) failed: \(inner)")
    }

    @Test("A failure that is an HTTPError knows the status, and gives its reason and advice")
    func httpError() throws {
        let failure = ResponseFailure(HTTPError.clientError(.notFound), of: try fixtureRequest(address))
        #expect(failure.httpError == .clientError(.notFound))
        #expect(failure.statusCode == .notFound)
        #expect(failure.localizedDescription.contains("(404)"))
        #expect(failure.failureReason == HTTPError.clientError(.notFound).failureReason)
        #expect(failure.recoverySuggestion == HTTPError.clientError(.notFound).recoverySuggestion)
    }

    @Test("namingRequest makes a future's errors name the request; without it a plain catch still works")
    func future() async throws {
        let mock = MockURLRequestDispatcher { Response.makeMockResponse(with: $0, statusCode: .noContent) }
        let request = try fixtureRequest(address)
        let plain = mock.dataFuture(from: request).decoded(FixturePost.self)
        do {
            _ = try await plain.value
        } catch ResponseError.unexpectedEmptyResponse {
        } catch {
            Issue.record("\(error)")
        }
        let failure = await #expect(throws: ResponseFailure.self) { try await plain.namingRequest(request).value }
        #expect(failure?.responseError == .unexpectedEmptyResponse)
        #expect(failure?.localizedDescription.contains("GET https://example.com/posts?…") == true)
    }

    @Test("An error that already names its request passes unchanged, and so does a cancellation")
    func passes() async throws {
        let request = try fixtureRequest()
        let broken = ResponseFuture<Int> { $0.fail(with: TransferError(.timedOut, url: request.url)) }
        await #expect(throws: TransferError.self) { try await broken.namingRequest(request).value }
        let cancelled = ResponseFuture<Int> { $0.cancel() }
        await #expect(throws: CancellationError.self) { try await cancelled.namingRequest(request).value }
        #expect(try await ResponseFuture { 7 }.namingRequest(request).value == 7)
        let response = try fixtureResponse("{")
        #expect(throws: ResponseDecodingError.self) {
            try response.namingFailures { try $0.namingFailures { try $0.decode(FixturePost.self) } }
        }
        #expect(throws: CancellationError.self) { try response.namingFailures { _ in throw CancellationError() } }
        #expect(throws: URLError.self) { try response.namingFailures { _ in throw URLError(.cancelled) } }
        #expect(throws: CocoaError.self) { try response.namingFailures { _ in throw CocoaError(.userCancelled) } }
        let url = try #require(request.url)
        #expect(throws: MockError.self) {
            try response.namingFailures { _ in throw MockError.usedUp(method: "GET", url: url, answerCount: 0) }
        }
        #expect(throws: ReplayError.self) {
            try response.namingFailures { _ in throw ReplayError.bodyNotRecorded(method: "GET", url: url) }
        }
        #expect(throws: RequestBodyError.self) {
            try response.namingFailures { _ in
                var other = request
                try other.setHTTPBody(text: "ü", encoding: .ascii)
            }
        }
    }

    @Test("A method with a line break can't forge a line of a log")
    func forgery() throws {
        var request = try fixtureRequest()
        request.httpMethod = "GET\nERROR\u{1B}[2J\u{2028}"
        let text = ResponseFailure(ResponseError.noResponse, of: request).localizedDescription
        #expect(!text.contains { $0.isNewline || $0 == "\u{1B}" }, "\(text)")
    }
}
