import Foundation
import PiuPiu

/// One error for each text of the package.
enum SampleErrors {
    static func all() throws -> [any LocalizableError] {
        let url = try URL(fixture: "https://user:word@example.com/posts?token=secret#part")
        return try ofRequests(url) + ofResponses(url) + ofTransfers(url) + ofFutures
    }

    private static func ofRequests(_ url: URL) -> [any LocalizableError] {
        let invalid: [InvalidRequestError] = [
            .missingURL, .missingScheme(url: url), .unsupportedScheme("ftp", url: url), .missingHost(url: url),
            .invalidMethod("GE T", url: url), .invalidHeaderName("a b", url: url),
            .invalidHeaderValue(name: "A", url: url), .bodyInGet(url: url),
        ]
        return [RequestError.missingURL, RequestError.missingServerProvider] + invalid
    }

    private static func ofResponses(_ url: URL) throws -> [any LocalizableError] {
        let response: [ResponseError] = [
            .noResponse, .notHTTPResponse, .unexpectedEmptyResponse, .failedToDecodeDataToString(encoding: .ascii),
        ]
        let http = [StatusCode.gone, .unauthorized, .tooManyRequests, .badGateway, .other(999)].compactMap(\.httpError)
        let mock: [MockResponseError] = [
            .failedToEncodeBody(typeName: "Post", url: url, underlyingError: CocoaError(.coderInvalidValue)),
            .invalidJSONObject(url: url), .failedToEncodeString(encoding: .ascii, url: url),
        ]
        return try response + http + mock + ofDecoding(url)
            + [ResponseFailure(ResponseError.noResponse, of: fixtureRequest(url.absoluteString))]
    }

    private static func ofDecoding(_ url: URL) throws -> [any LocalizableError] {
        let bodies = ["[", "{}", #"{"id":null}"#, #"{"id":"1"}"#]
        let errors = try bodies.map { body in
            try decodingError(of: fixtureResponse(body, url: url.absoluteString))
        }
        return try errors + [
            decodingError(of: fixtureResponse("[", statusCode: .notFound, url: url.absoluteString))
        ]
    }

    private static func decodingError(of response: Response<Data?>) throws -> ResponseDecodingError {
        do {
            _ = try response.decode(FixturePost.self)
        } catch let error as ResponseDecodingError {
            return error
        }
        throw NotAURL(string: "A body could be decoded.")
    }

    private static func ofTransfers(_ url: URL) -> [any LocalizableError] {
        var errors: [any LocalizableError] = TransferError.Kind.allCases.map { TransferError($0, url: url) }
        errors.append(TransferError(.other))
        errors += FileTransferError.Kind.allCases.map { FileTransferError($0, file: url) }
        errors.append(AdapterError.callbackDropped(adapter: "Token"))
        errors += [StreamLimitError.lineTooLong(limit: 7), StreamLimitError.eventTooLong(limit: 7)]
        return errors
    }

    private static let ofFutures: [any LocalizableError] = [
        FutureError.abandoned(file: "A.swift", line: 7), FutureError.waitsForItself,
        FutureError.neitherValueNorError(file: "A.swift", line: 7), FutureError.emptySequence(file: "A.swift", line: 7),
        AllFuturesFailedError(errors: []), AllFuturesFailedError(errors: [ResponseError.noResponse]),
        AllFuturesFailedError(errors: [ResponseError.noResponse, FutureError.waitsForItself]),
    ]
}
