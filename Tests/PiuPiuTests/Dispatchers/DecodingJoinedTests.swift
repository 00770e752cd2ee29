import Foundation
import PiuPiu
import Testing

@Suite("Decoding joined responses", .timeLimit(.minutes(10)))
struct DecodingJoinedTests {
    private let post = #"{"id":1,"title":"one"}"#
    private let one = FixturePost(id: 1, title: "one")
    private let minute = Date(timeIntervalSince1970: 60)

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

    @Test("Many responses are decoded with a date strategy, and where there is no body, as nil")
    func manyForms() async throws {
        let times = [#"["1970-01-01T00:01:00Z"]"#, #"[60]"#]
        let dated = { [times] in ResponseFuture<[Response<Data?>]>(childFutures: [try response(times[0])]) }
        let iso = JSONDecoder.DateDecodingStrategy.iso8601
        #expect(try await dated().decoded([Date].self, dateDecodingStrategy: iso).value.map(\.data) == [[minute]])
        let http = { try dated().makeHTTPResponse() }
        #expect(try await http().decoded([Date].self, dateDecodingStrategy: iso).value.map(\.data) == [[minute]])
        let results = try await http().safeDecoded([Date].self, dateDecodingStrategy: iso).value.map(\.data)
        #expect(try results.map { try $0.get() } == [[minute]])

        let partial = { [times] in
            ResponseFuture<[Response<Data?>]>(childFutures: [try response(times[1]), try response(nil)])
        }
        let present = [[minute], nil]
        let seconds = JSONDecoder.DateDecodingStrategy.secondsSince1970
        #expect(
            try await partial().decodedIfPresent([Date].self, dateDecodingStrategy: seconds).value.map(\.data)
                == present)
        #expect(try await partial().decodedIfPresent([Int].self).value.map(\.data) == [[60], nil])
        let partialHTTP = { try partial().makeHTTPResponse() }
        #expect(
            try await partialHTTP().decodedIfPresent([Date].self, dateDecodingStrategy: seconds).value.map(\.data)
                == present)
        #expect(try await partialHTTP().decodedIfPresent([Int].self).value.map(\.data) == [[60], nil])
    }

    @Test("Two responses of a join are decoded with a date strategy, and where there is no body, as nil")
    func twoForms() async throws {
        let pair = { try response("[60]").join(try response("60")) }
        let http = { try pair().makeHTTPResponse() }
        let seconds = JSONDecoder.DateDecodingStrategy.secondsSince1970
        let (first, second) = try await pair().decoded([Date].self, Date.self, dateDecodingStrategy: seconds).value
        #expect(first.data == [minute] && second.data == minute)
        let (third, fourth) = try await http().decoded([Date].self, Date.self, dateDecodingStrategy: seconds).value
        #expect(third.data == [minute] && fourth.data == minute)
        let (fifth, sixth) = try await http().safeDecoded([Date].self, Date.self, dateDecodingStrategy: seconds).value
        #expect(try fifth.data.get() == [minute] && sixth.data.get() == minute)

        let partial = { try response("[60]").join(try response(nil)) }
        let partialHTTP = { try partial().makeHTTPResponse() }
        let plain = try await partial().decodedIfPresent([Int].self, Date.self).value
        #expect(plain.0.data == [60] && plain.1.data == nil)
        let dated = try await partial().decodedIfPresent([Date].self, Date.self, dateDecodingStrategy: seconds).value
        #expect(dated.0.data == [minute] && dated.1.data == nil)
        let plainHTTP = try await partialHTTP().decodedIfPresent([Int].self, Date.self).value
        #expect(plainHTTP.0.data == [60] && plainHTTP.1.data == nil)
        let datedHTTP = try await partialHTTP()
            .decodedIfPresent([Date].self, Date.self, dateDecodingStrategy: seconds).value
        #expect(datedHTTP.0.data == [minute] && datedHTTP.1.data == nil)
    }
}
