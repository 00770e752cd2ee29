import Foundation
import PiuPiu
import Testing

@Suite("StatusCode", .timeLimit(.minutes(10)))
struct StatusCodeTests {
    static let registered = [
        100...103, 200...208, 226...226, 300...305, 307...308, 400...417, 421...426, 428...429, 431...431, 451...451,
        500...508, 510...511,
    ].flatMap { Array($0) }

    static let legacyCases: [(StatusCode, Int)] = [
        (.ok, 200), (.created, 201), (.accepted, 202), (.noContent, 204), (.resetContent, 205), (.partialContent, 206),
        (.multiStatus, 207), (.alreadyReported, 208), (.imUsed, 226), (.badRequest, 400), (.unauthorized, 401),
        (.paymentRequired, 402), (.forbidden, 403), (.notFound, 404), (.methodNotAllowed, 405), (.notAcceptable, 406),
        (.conflict, 409), (.gone, 410), (.lengthRequired, 411), (.unsupportedMediaType, 415),
        (.unprocessableEntity, 422), (.internalServerError, 500), (.notImplemented, 501), (.badGateway, 502),
        (.serviceUnavailable, 503), (.gatewayTimeout, 504), (.httpVersionNotSupported, 505),
    ]

    @Test("The cases of PiuPiu 1.x have their numbers", arguments: legacyCases)
    func legacyNumbers(statusCode: StatusCode, rawValue: Int) {
        #expect(statusCode.rawValue == rawValue)
    }

    @Test("Every registered code has a case of its own", arguments: registered)
    func registeredCase(rawValue: Int) {
        if case .other = StatusCode(rawValue: rawValue) { Issue.record("\(rawValue) is .other") }
    }

    @Test("Every number survives a round trip through StatusCode, and only registered ones have a case")
    func roundTrip() {
        for rawValue in Array(-1...1_000) + [Int.min, Int.max] {
            let statusCode = StatusCode(rawValue: rawValue)
            #expect(statusCode.rawValue == rawValue)
            if case .other = statusCode { continue }
            #expect(Self.registered.contains(rawValue), "\(rawValue) has a case")
        }
    }

    @Test("Equality and hash follow the number")
    func equality() {
        #expect(StatusCode.other(404) == .notFound)
        #expect(StatusCode.other(404) != .gone)
        #expect(StatusCode.notFound != .ok)
        #expect(Set([StatusCode.other(200), .ok, .created]).count == 2)
        #expect(Set([StatusCode.notFound]).contains(.other(404)))
    }

    @Test("Codable as a single integer", arguments: [StatusCode.tooManyRequests, .other(299)])
    func codable(statusCode: StatusCode) throws {
        let data = try JSONEncoder().encode([statusCode])
        #expect(String(decoding: data, as: UTF8.self) == "[\(statusCode.rawValue)]")
        #expect(try JSONDecoder().decode([StatusCode].self, from: data) == [statusCode])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([StatusCode].self, from: Data(#"["200"]"#.utf8))
        }
    }

    @Test(
        "The class comes from the hundreds",
        arguments: [
            (99, StatusCodeType.invalid, false), (100, .informational, true), (199, .informational, true),
            (200, .success, true), (299, .success, true), (300, .redirect, true), (399, .redirect, true),
            (400, .clientError, false), (499, .clientError, false), (500, .serverError, false),
            (599, .serverError, false), (600, .invalid, false), (-404, .invalid, false),
        ])
    func type(rawValue: Int, type: StatusCodeType, isSuccessful: Bool) {
        #expect(StatusCode(rawValue: rawValue).type == type)
        #expect(type.isSuccessful == isSuccessful)
    }

    @Test(
        "STATUS: only 4xx, 5xx and invalid codes have an error",
        arguments: [
            (StatusCode.processing, HTTPError?.none), (.ok, nil), (.notModified, nil),
            (.notFound, .clientError(.notFound)), (.other(499), .clientError(.other(499))),
            (.badGateway, .serverError(.badGateway)), (.other(999), .invalidStatusCode(.other(999))),
            (.other(0), .invalidStatusCode(.other(0))),
        ])
    func httpError(statusCode: StatusCode, error: HTTPError?) {
        #expect(statusCode.httpError == error)
    }

    @Test("An HTTPError reads as its status, and names its number", arguments: [400, 401, 404, 429, 503, 999, -1])
    func errorTexts(rawValue: Int) throws {
        let error = try #require(StatusCode(rawValue: rawValue).httpError)
        #expect(error.statusCode.rawValue == rawValue)
        #expect(error.localizedDescription == error.statusCode.localizedDescription)
        #expect(!error.localizedDescription.isEmpty)
        #expect(error.failureReason?.contains("\(rawValue)") == true)
        #expect(error.recoverySuggestion?.isEmpty == false)
    }
}
