import Foundation
import PiuPiu
import Testing

@Suite("Decoding joined responses", .timeLimit(.minutes(10)))
struct DecodingJoinedTests {
    private let post = #"{"id":1,"title":"one"}"#
    private let one = FixturePost(id: 1, title: "one")

    private func response(_ body: String?) throws -> ResponseFuture<Response<Data?>> {
        ResponseFuture(result: try fixtureResponse(body))
    }

    @Test("Many responses are decoded in order; one that fails to decode fails the future")
    func many() async throws {
        let sound = { ResponseFuture<[Response<Data?>]>(childFutures: [try response(post), try response(post)]) }
        #expect(try await sound().decoded(FixturePost.self).value.map(\.data) == [one, one])
        #expect(try await sound().decodedString().value.map(\.data) == [post, post])
        #expect(try await sound().makeHTTPResponse().value.map(\.statusCode) == [.ok, .ok])
        #expect(try await sound().makeHTTPResponse().decoded(FixturePost.self).value.map(\.data) == [one, one])
        #expect(try await sound().makeHTTPResponse().decodedString().value.map(\.data) == [post, post])

        let broken = { ResponseFuture<[Response<Data?>]>(childFutures: [try response(post), try response("[]")]) }
        await #expect(throws: ResponseDecodingError.self) { try await broken().decoded(FixturePost.self).value }
        let results = try await broken().makeHTTPResponse().safeDecoded(FixturePost.self).value.map(\.data)
        #expect(try results[0].get() == one)
        #expect(throws: ResponseDecodingError.self) { try results[1].get() }
    }

    @Test("Two responses of a join are decoded, each as its own type")
    func two() async throws {
        let pair = { [post] in try response(post).join(try response("[1]")) }
        let (first, second) = try await pair().decoded(FixturePost.self, [Int].self).value
        #expect(first.data == one && second.data == [1])
        #expect(try await pair().decodedString().value.1.data == "[1]")
        let (third, fourth) = try await pair().makeHTTPResponse().decoded(FixturePost.self, [Int].self).value
        #expect(third.data == one && fourth.data == [1])
        #expect(try await pair().makeHTTPResponse().decodedString().value.0.data == post)
        let (fifth, sixth) = try await pair().makeHTTPResponse().safeDecoded([Int].self, [Int].self).value
        #expect(throws: ResponseDecodingError.self) { try fifth.data.get() }
        #expect(try sixth.data.get() == [1])
        await #expect(throws: ResponseError.self) {
            try await response(post).join(response(nil)).decoded(FixturePost.self, FixturePost.self).value
        }
    }
}
