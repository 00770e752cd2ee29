import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each symbol of PiuPiu 1.11 for responses, statuses and errors, in its old spelling.
@Suite("The vocabulary of PiuPiu 1.x: responses, statuses and errors", .timeLimit(.minutes(10)))
struct LegacyResponsesVocabularyTests {
    private struct Dated: Codable, Equatable, Sendable {
        var at: Date
    }

    private let dated = #"{"at":"1970-01-01T00:00:07Z"}"#

    @Test("The parts of a response, and its initializers")
    func parts() throws {
        func parts<Interface: ResponseInterface>(of response: Interface) -> (Interface.Body, URLResponse, URLRequest) {
            (response.data, response.urlResponse, response.urlRequest)
        }
        let response: Response<Data?> = try fixtureResponse("[1]", statusCode: .created)
        let copy = Response<Data?>(
            data: response.data, urlRequest: response.urlRequest, urlResponse: response.urlResponse)
        #expect(Response<Int>(response: copy, data: 1).data == 1)
        var http: HTTPResponse<Data?> = try copy.makeHTTPResponse()
        http = HTTPResponse(data: http.data, urlRequest: http.urlRequest, httpResponse: http.httpResponse)
        http.urlRequest = response.urlRequest
        #expect(try HTTPResponse<String>(response: http, data: "a").data == "a")
        #expect(http.statusCode == .created && http.httpError == nil && http.urlResponse === http.httpResponse)
        #expect(parts(of: http).0 == response.data)
    }

    @Test("The decode family of both kinds of response")
    func decoding() throws {
        let response = try fixtureResponse("[1,2]")
        let http = try response.makeHTTPResponse()
        #expect(try response.unwrapData() == http.unwrapData())
        #expect(try response.decodeString() == "[1,2]" && http.decodeString(encoding: .ascii) == "[1,2]")
        #expect(try response.decodeJSONObject() as? [Int] == [1, 2])
        #expect(try http.decodeJSONObject(options: []) as? [Int] == [1, 2])
        #expect(try response.decode([Int].self) == [1, 2])
        #expect(try http.decode([Int].self, using: JSONDecoder()) == [1, 2])
        #expect(try response.decodeIfPresent([Int].self) == [1, 2])
        #expect(try http.decodeIfPresent([Int].self, using: JSONDecoder()) == [1, 2])
        #expect(try response.decoded([Int].self).data == http.decoded([Int].self, using: JSONDecoder()).data)
        #expect(try response.decodedIfPresent([Int].self).data == http.decodedIfPresent([Int].self).data)
        #expect(try fixtureResponse(nil).decodedIfPresent([Int].self).data == nil)
    }

    @Test("Dates in the format that the call names, in the whole family")
    func dates() async throws {
        let response = try fixtureResponse(dated)
        let http = try response.makeHTTPResponse()
        let seven = Dated(at: Date(timeIntervalSince1970: 7))
        #expect(try response.decode(Dated.self, dateDecodingStrategy: .iso8601) == seven)
        #expect(try http.decodeIfPresent(Dated.self, dateDecodingStrategy: .iso8601) == seven)
        #expect(try response.decoded(Dated.self, dateDecodingStrategy: .iso8601).data == seven)
        #expect(try response.decodedIfPresent(Dated.self, dateDecodingStrategy: .iso8601).data == seven)
        #expect(try http.decoded(Dated.self, dateDecodingStrategy: .iso8601).data == seven)
        #expect(try http.decodedIfPresent(Dated.self, dateDecodingStrategy: .iso8601).data == seven)
        #expect(try http.safeDecoded(Dated.self, dateDecodingStrategy: .iso8601).data.get() == seven)
        #expect(throws: ResponseDecodingError.self) {
            try response.decode(Dated.self, dateDecodingStrategy: .secondsSince1970)
        }

        let future = ResponseFuture(result: response), httpFuture = future.makeHTTPResponse()
        #expect(try await future.decoded(Dated.self, dateDecodingStrategy: .iso8601).value.data == seven)
        #expect(try await future.decodedIfPresent(Dated.self, dateDecodingStrategy: .iso8601).value.data == seven)
        #expect(try await httpFuture.decoded(Dated.self, dateDecodingStrategy: .iso8601).value.data == seven)
        #expect(try await httpFuture.decodedIfPresent(Dated.self, dateDecodingStrategy: .iso8601).value.data == seven)
        let safe = try await httpFuture.safeDecoded(Dated.self, dateDecodingStrategy: .iso8601).value.data
        #expect(try safe.get() == seven)
        let empty = ResponseFuture(result: try fixtureResponse(nil))
        #expect(try await empty.decodedIfPresent(Dated.self).value.data == nil)
        #expect(try await empty.makeHTTPResponse().decodedIfPresent(Dated.self).value.data == nil)
    }

    @Test("A body that isn't JSON, as an object: the error names the request")
    func notJSON() throws {
        for body in ["{", "1", "nope"] {
            let error = try #require(throws: ResponseDecodingError.self) {
                try fixtureResponse(body).decodeJSONObject()
            }
            #expect(
                error.localizedDescription.contains(
                    "GET https://example.com/posts (200) could not be decoded as a JSON"))
        }
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try fixtureResponse("").decodeJSONObject() }
        #expect(try fixtureResponse("1").decodeJSONObject(options: .fragmentsAllowed) as? Int == 1)
    }

    @available(*, deprecated)
    private func deprecatedSpellings() throws -> [[Int]?] {
        let response = try fixtureResponse("[1]")
        let http = try response.makeHTTPResponse()
        let safe = [SafeResponse<[Int]>.response([1]), .error(ResponseError.noResponse)]
        return try [
            response.decodedResponse([Int].self).data, response.decodedResponseIfPresent([Int].self).data,
            http.decodedResponse([Int].self).data, http.decodedResponseIfPresent([Int].self).data,
        ] + safe.map { if case .response(let value) = $0 { value } else { nil } }
    }

    private protocol Spellings { func values() throws -> [[Int]?] }

    @Test("The deprecated spellings give the same")
    func deprecated() throws {
        struct Deprecated: Spellings {
            let tests: LegacyResponsesVocabularyTests
            @available(*, deprecated)
            func values() throws -> [[Int]?] { try tests.deprecatedSpellings() }
        }
        let spellings: any Spellings = Deprecated(tests: self)
        #expect(try spellings.values() == [[1], [1], [1], [1], [1], nil])
    }

    @Test("Mocks, Markdown and debug")
    func mocks() throws {
        let request = try fixtureRequest()
        let responses = [
            try Response.makeMockJSONResponse(
                with: request, encodable: [1], statusCode: .ok, headers: [:], encoder: JSONEncoder()),
            try Response.makeMockResponse(
                with: request, jsonObject: ["a": nil], options: [], statusCode: .ok, headers: [:]),
            Response.makeMockResponse(
                with: request, jsonString: "[1]", encoding: .utf8, statusCode: .ok, headers: [:]),
            Response.makeMockResponse(with: request, data: nil, statusCode: .ok, headers: [:]),
        ]
        for response in responses {
            #expect(response.makeRequestMarkdown().hasPrefix("## REQUEST\n[GET] https://example.com/posts"))
            #expect(response.makeResponseMarkdown().hasPrefix("## RESPONSE\n[GET] (200) https://example.com/posts"))
        }
        let debug: (Response<Data?>) -> () -> Void = { response in { response.debug() } }
        _ = debug(responses[0])
    }

    @Test("Statuses and errors")
    func statuses() throws {
        #expect(StatusCode(rawValue: 404) == .notFound && StatusCode.other(200) == .ok)
        #expect(StatusCode.notFound.type == StatusCodeType.clientError && !StatusCode.notFound.type.isSuccessful)
        #expect(StatusCode.notFound.rawValue == 404)
        #expect(StatusCode.badRequest.localizedDescription.lowercased() == "bad request")
        #expect(try JSONDecoder().decode([StatusCode].self, from: Data("[404]".utf8)) == [.notFound])
        let types: [StatusCodeType] = [.informational, .success, .redirect, .clientError, .serverError, .invalid]
        #expect(types.map(\.isSuccessful) == [true, true, true, false, false, false])
        let errors: [HTTPError] = [.clientError(.gone), .serverError(.badGateway), .invalidStatusCode(.other(1))]
        #expect(errors.map(\.statusCode.rawValue) == [410, 502, 1])
        #expect(errors.map(\.errorDescription) == errors.map(\.statusCode.localizedDescription))
        let responseErrors: [ResponseError] = [
            .noResponse, .notHTTPResponse, .unexpectedEmptyResponse, .failedToDecodeDataToString(encoding: .utf8),
        ]
        #expect(
            responseErrors.map(\.errorKey)
                == ["NoResponse", "NotHTTPResponse", "UnexpectedEmptyResponse", "FailedToDecodeDataToString"])
        #expect(
            [RequestError.missingURL, .missingServerProvider].map(\.errorKey) == [
                "MissingURL", "MissingServerProvider",
            ])
        do {
            _ = try fixtureFileResponse("").makeHTTPResponse()
        } catch ResponseError.notHTTPResponse {
            return
        }
        Issue.record("A file is no HTTP response.")
    }
}
