import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Decoding a response", .timeLimit(.minutes(10)))
struct ResponseDecodingTests {
    let post = FixturePost(id: 1, title: "a")
    let body = #"{"id":1,"title":"a"}"#

    @Test("A body is decoded by either kind of response, alone and with its head")
    func decodes() throws {
        let response = try fixtureResponse(body)
        let http = try response.makeHTTPResponse()
        #expect(try response.decode(FixturePost.self) == post)
        #expect(try http.decode(FixturePost.self) == post)
        #expect(try response.decodeIfPresent(FixturePost.self) == post)
        #expect(try response.decoded(FixturePost.self).data == post)
        #expect(try http.decoded(FixturePost.self).data == post)
        #expect(try response.decodedIfPresent(FixturePost.self).data == post)
        #expect(try http.decodedIfPresent(FixturePost.self).data == post)
        #expect(try response.decodedString().data == body)
        #expect(try http.decodedString().data == body)
        #expect(try response.unwrapData() == Data(body.utf8))

        #expect(try response.decoded(FixturePost.self).urlResponse === response.urlResponse)
        #expect(try http.decoded(FixturePost.self).httpResponse === response.urlResponse)
        #expect(try http.decodedString().urlRequest == response.urlRequest)
    }

    @Test("A body in Mac OS Roman is the text of that encoding, also one that a mock has written")
    func macOSRoman() throws {
        let text = "aéπ\u{FB02}", bytes = Data([0x61, 0x8E, 0xB9, 0xDF])
        let response = try Response.makeMockResponse(with: fixtureRequest(), data: bytes, statusCode: .ok)
        #expect(try response.decodeString(encoding: .macOSRoman) == text)
        let mock = try Response.makeMockResponse(
            with: fixtureRequest(), text: text, encoding: .macOSRoman, statusCode: .ok)
        #expect(mock.data == bytes)
        #expect(try mock.decodedString(encoding: .macOSRoman).data == text)
    }

    @Test("The type may come from the context")
    func inferredType() throws {
        let response = try fixtureResponse(body)
        let http = try response.makeHTTPResponse()
        let plain: Response<FixturePost> = try response.decoded()
        let optional: Response<FixturePost?> = try response.decodedIfPresent()
        let dated: Response<FixturePost> = try response.decoded(dateDecodingStrategy: .iso8601)
        #expect(plain.data == post && optional.data == post && dated.data == post)
        let plainHTTP: HTTPResponse<FixturePost> = try http.decoded()
        let optionalHTTP: HTTPResponse<FixturePost?> = try http.decodedIfPresent(dateDecodingStrategy: .iso8601)
        let safe: HTTPResponse<Result<FixturePost, any Error>> = http.safeDecoded()
        #expect(try plainHTTP.data == post && optionalHTTP.data == post && safe.data.get() == post)
    }

    @Test("Plain decoding needs no Sendable model")
    func nonSendableModel() throws {
        final class Box: Decodable {
            var id = 0
        }
        #expect(try fixtureResponse(body).decode(Box.self).id == 1)
    }

    @Test("The given decoder decodes the body")
    func decoder() throws {
        struct Key: Codable, Sendable { var someId: Int }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let response = try fixtureResponse(#"{"some_id":7}"#)
        let http = try response.makeHTTPResponse()
        #expect(try response.decode(Key.self, using: decoder).someId == 7)
        #expect(try response.decodeIfPresent(Key.self, using: decoder)?.someId == 7)
        #expect(try response.decoded(Key.self, using: decoder).data.someId == 7)
        #expect(try response.decodedIfPresent(Key.self, using: decoder).data?.someId == 7)
        #expect(try http.decoded(Key.self, using: decoder).data.someId == 7)
        #expect(try http.decodedIfPresent(Key.self, using: decoder).data?.someId == 7)
    }

    @Test("Dates follow the given strategy")
    func dates() throws {
        let response = try fixtureResponse(#"["1970-01-01T00:01:00Z"]"#)
        let dates = try response.decode([Date].self, dateDecodingStrategy: .iso8601)
        #expect(dates == [Date(timeIntervalSince1970: 60)])
        #expect(throws: ResponseDecodingError.self) { try response.decode([Date].self, using: JSONDecoder()) }
        #expect(try response.decode([Date].self) == dates)
    }

    @Test("A missing body and one of zero bytes are the same error", arguments: [nil, ""] as [String?])
    func empty(body: String?) throws {
        let response = try fixtureResponse(body, statusCode: .noContent)
        let http = try response.makeHTTPResponse()
        let error = ResponseError.unexpectedEmptyResponse
        #expect(throws: error) { try response.unwrapData() }
        #expect(throws: error) { try response.decodeString() }
        #expect(throws: error) { try response.decode(FixturePost.self) }
        #expect(throws: error) { try response.decode(FixturePost.self, dateDecodingStrategy: .iso8601) }
        #expect(throws: error) { try response.decoded(FixturePost.self) }
        #expect(throws: error) { try response.decodedString() }
        #expect(throws: error) { try http.decoded(FixturePost.self) }
        #expect(throws: error) { try http.decodedString() }
    }

    @Test("A missing body and one of zero bytes are nil where the body is optional", arguments: [nil, ""] as [String?])
    func emptyIfPresent(body: String?) throws {
        let response = try fixtureResponse(body, statusCode: .noContent)
        #expect(try response.decodeIfPresent(FixturePost.self) == nil)
        #expect(try response.decodedIfPresent(FixturePost.self).data == nil)
        #expect(try response.makeHTTPResponse().decodedIfPresent(FixturePost.self).data == nil)
    }

    @Test("A body that is present must decode, even where it is optional")
    func wrongIfPresent() throws {
        let response = try fixtureResponse("null")
        #expect(throws: ResponseDecodingError.self) { try response.decodeIfPresent(FixturePost.self) }
        #expect(try response.decodeIfPresent(FixturePost?.self) == .some(nil))
    }

    @Test("Text is decoded in the given encoding")
    func strings() throws {
        let response = try Response.makeMockResponse(
            with: fixtureRequest(), data: Data([0x63, 0x61, 0x66, 0xE9]), statusCode: .ok)
        #expect(try response.decodeString(encoding: .isoLatin1) == "café")
        #expect(try response.decodedString(encoding: .isoLatin1).data == "café")
        #expect(try response.makeHTTPResponse().decodedString(encoding: .isoLatin1).data == "café")
        #expect(throws: ResponseError.failedToDecodeDataToString(encoding: .utf8)) { try response.decodeString() }
    }
}
