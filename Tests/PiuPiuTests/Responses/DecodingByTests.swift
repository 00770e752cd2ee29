import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Decoding a response by a closure", .timeLimit(.minutes(10)))
struct DecodingByTests {
    private struct Unreadable: Error {}

    private let post = FixturePost(id: 1, title: "a")

    private func response() throws -> Response<Data?> {
        let data = try PropertyListEncoder().encode(post)
        return Response.makeMockResponse(with: try fixtureRequest(), data: data, statusCode: .ok)
    }

    private func future(_ body: String? = "7") throws -> ResponseFuture<Response<Data?>> {
        ResponseFuture(result: try fixtureResponse(body))
    }

    @Test("A closure decodes the body of either kind of response, alone and with its head")
    func responses() throws {
        let response = try response(), http = try response.makeHTTPResponse()
        #expect(try response.decode { try PropertyListDecoder().decode(FixturePost.self, from: $0) } == post)
        #expect(try http.decode { try PropertyListDecoder().decode(FixturePost.self, from: $0) } == post)
        let decoded = try response.decoded { data in
            let decoder = PropertyListDecoder()
            return try decoder.decode(FixturePost.self, from: data)
        }
        #expect(decoded.data == post && decoded.urlResponse === response.urlResponse)
        #expect(try http.decoded { $0.count }.data == response.data?.count)
    }

    @Test("A closure of one or more statements decodes in a future, beside the forms for JSON")
    func futures() async throws {
        let future = ResponseFuture(result: try response())
        let short = future.decoded { try PropertyListDecoder().decode(FixturePost.self, from: $0) }
        #expect(try await short.value.data == post)
        let long = future.makeHTTPResponse().decoded { data in
            let decoder = PropertyListDecoder()
            return try decoder.decode(FixturePost.self, from: data)
        }
        #expect(try await long.value.data == post)
        let chained = try await future.decoded { $0.count }.then { $0.data + 1 }.value
        #expect(try chained == response().data.map { $0.count + 1 })
        let named = future.decoded(by: { String(decoding: $0.prefix(5), as: UTF8.self) })
        #expect(try await ["<?xml", "bplis"].contains(named.value.data))
        // The forms for JSON are still found, with and without a type.
        let json = try self.future()
        let inferred: ResponseFuture<Response<Int>> = json.decoded()
        #expect(try await inferred.value.data == 7)
        #expect(try await json.decoded(Int.self).value.data == 7)
    }

    @Test("Many responses are decoded by a closure, in order")
    func lists() async throws {
        let many = { ResponseFuture<[Response<Data?>]>(childFutures: [try future("12"), try future("3")]) }
        #expect(try await many().decoded { $0.count }.value.map(\.data) == [2, 1])
        #expect(try await many().makeHTTPResponse().decoded { $0.count }.value.map(\.data) == [2, 1])
    }

    @Test("What the closure throws is in the error of decoding, with the response and the body")
    func failure() async throws {
        let decode: @Sendable (Data) throws -> Int = { _ in throw Unreadable() }
        let error = await #expect(throws: ResponseDecodingError.self) {
            try await future().decoded(by: decode).value
        }
        #expect(error?.underlyingError is Unreadable && error?.bodyText == "7" && error?.typeName == "Int")
        #expect(error?.url == (try fixtureRequest().url) && error?.statusCode == .ok)
        #expect(throws: ResponseDecodingError.self) { try fixtureResponse("7").makeHTTPResponse().decoded(by: decode) }
    }

    @Test("Without a body the closure isn't called", arguments: [nil, ""])
    func noBody(body: String?) async throws {
        let calls = Counter()
        await #expect(throws: ResponseError.unexpectedEmptyResponse) {
            try await future(body).decoded { _ in calls.increment() }.value
        }
        #expect(calls.value == 0)
    }

    @Test("A cancellation of the closure is one of the future")
    func cancellation() async throws {
        let future = try future().decoded { _ -> Int in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await future.value }
        #expect(future.status == .cancelled)
        #expect(throws: CancellationError.self) {
            try fixtureResponse("7").decode { _ -> Int in throw CancellationError() }
        }
    }

    @Test("The closure of a future runs in the background")
    func background() async throws {
        let isOnMain = try await MainQueue.blocked {
            try await future().decoded { _ in MainQueue.isCurrent }.value.data
        }
        #expect(!isOnMain)
    }
}
