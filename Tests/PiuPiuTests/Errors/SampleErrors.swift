import Foundation
import PiuPiu
import PiuPiuTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One error for each text of the package.
enum SampleErrors {
    static func all() throws -> [any LocalizableError] {
        let url = try URL(fixture: "https://user:word@example.com/posts?token=secret#part")
        return try ofRequests(url) + ofBodies(url) + ofResponses(url) + ofTransfers(url) + ofTestDoubles(url)
            + ofFutures + ofPolicies(url)
    }

    private static func ofRequests(_ url: URL) -> [any LocalizableError] {
        let invalid: [InvalidRequestError] = [
            .missingURL, .missingScheme(url: url), .unsupportedScheme("ftp", url: url), .missingHost(url: url),
            .invalidMethod("GE T", url: url), .invalidHeaderName("a b", url: url),
            .invalidHeaderValue(name: "A", url: url), .bodyInGet(url: url), .colonInUserName(url: url),
            .controlCharacterInCredential(url: nil),
            .invalidURL(baseURL: url, path: "//posts?token=secret"),
            .pathLeavesBase(baseURL: url, path: "../posts?token=secret"), .invalidPathSegment("..", url: url),
            .invalidPathSegment("", url: nil),
        ]
        let form: [MultipartFormError] = [
            .invalidBoundary("ü"), .boundaryInContent(name: "title"), .invalidContentType("\r\n", name: "title"),
            .fileChanged(url),
        ]
        return [
            RequestError.missingURL, RequestError.missingServerProvider,
            TimeZoneTransform.TransformError.invalidIdentifier,
        ] + invalid + form
    }

    private static func ofBodies(_ url: URL) throws -> [any LocalizableError] {
        var request = try fixtureRequest(url.absoluteString)
        var unknown = UnknownRequest()
        let works: [() throws -> Void] = [
            { try request.setHTTPBody(text: "ü", encoding: .ascii) },
            { try unknown.setHTTPBody(text: "ü", encoding: .ascii) },
            { try request.setJSONBody(jsonObject: ["a": Date()]) },
            { try request.setJSONBody(["rating": Double.nan]) },
        ]
        return try works.map { try error(as: RequestBodyError.self, of: $0) }
    }

    /// A request of a type that the package doesn't know, and can't name.
    private struct UnknownRequest: HTTPBodyHolding {
        var httpBody: Data?

        func value(forHTTPHeaderField name: String) -> String? { nil }
        mutating func setValue(_ value: String?, forHTTPHeaderField name: String) {}
    }

    private static func ofTestDoubles(_ url: URL) throws -> [any LocalizableError] {
        let mock: [MockError] = [
            .noRoute(method: "GET", url: url, routes: []), .noRoute(method: "GET", url: url, routes: ["GET /users"]),
            .noRoute(method: "GET", url: url, routes: ["GET /api%2Fusers"]),
            .usedUp(method: "GET", url: url, answerCount: 7), .chunksUsedUp(method: "GET", url: url),
        ]
        let replay: [ReplayError] = [
            .noRecording(method: "GET", url: url, nearest: []),
            .noRecording(method: "GET", url: url, nearest: ["GET https://example.com/users (differs in the path)"]),
            .usedUp(method: "GET", url: url, recordingCount: 7), .bodyNotRecorded(method: "GET", url: url),
        ]
        let sent = RecordedExchange(
            kind: .data, urlRequest: try fixtureRequest(url.absoluteString), body: .none, start: .zero)
        let missing = [
            ExchangesMissingError(stage: .sent, expectedCount: 2, limit: .seconds(7), exchanges: [], count: 0),
            ExchangesMissingError(stage: .ended, expectedCount: 2, limit: .seconds(7), exchanges: [sent], count: 0),
        ]
        let works: [() throws -> Void] = [
            { _ = try TrafficRecording(contentsOf: URL(filePath: "/dev/null/missing")) },
            { try TrafficRecording([]).write(to: URL(filePath: "/dev/null/folder/file")) },
            { _ = try TrafficRecording(data: Data("[".utf8)) },
            { _ = try TrafficRecording(data: Data(#"{"version": 2}"#.utf8)) },
        ]
        return try mock + replay + missing + works.map { try error(as: RecordingFileError.self, of: $0) }
    }

    private static func ofResponses(_ url: URL) throws -> [any LocalizableError] {
        let response: [ResponseError] = [
            .noResponse, .notHTTPResponse, .unexpectedEmptyResponse, .failedToDecodeDataToString(encoding: .ascii),
        ]
        let http = [StatusCode.gone, .unauthorized, .tooManyRequests, .badGateway, .other(999)].compactMap(\.httpError)
        let refused = try [nil, Data("none".utf8), Data([0xFF])].compactMap { body in
            UnacceptableStatusError(
                try Response.makeMockResponse(
                    with: fixtureRequest(url.absoluteString), data: body, statusCode: .notModified))
        }
        var head = TransferHead(url: url, status: 504)
        head.cacheStatus = CacheStatus(detail: "only-if-cached")
        let miss = Response(data: Data?.none, urlRequest: try fixtureRequest(url.absoluteString), head: head)
        let notStored = UnacceptableStatusError(miss).map { [$0] } ?? []
        let mock: [MockResponseError] = [
            .failedToEncodeBody(typeName: "Post", url: url, underlyingError: CocoaError(.coderInvalidValue)),
            .invalidJSONObject(url: url), .failedToEncodeString(encoding: .ascii, url: url),
        ]
        return try response + (Deprecated() as any DeprecatedErrors).ofStatuses + http + refused + notStored + mock
            + ofDecoding(url)
            + [ResponseFailure(ResponseError.noResponse, of: fixtureRequest(url.absoluteString))]
    }

    private static func ofDecoding(_ url: URL) throws -> [any LocalizableError] {
        let bodies = ["[", "{}", #"{"id":null}"#, #"{"id":"1"}"#]
        let errors = try bodies.map { body in
            try decodingError(of: fixtureResponse(body, url: url.absoluteString))
        }
        let refused = try fixtureResponse("[", statusCode: .notFound, url: url.absoluteString)
        let unknownBody = try error(as: UnacceptableStatusError.self) {
            _ = try Response(response: refused, data: 7).validated()
        }
        return try errors + [
            decodingError(of: refused),
            error(as: ResponseDecodingError.self) { _ = try unknownBody.decode(FixturePost.self) },
            error(as: ResponseDecodingError.self) { _ = try ServerSentEvent(data: "[").decode(FixturePost.self) },
        ]
    }

    private static func decodingError(of response: Response<Data?>) throws -> ResponseDecodingError {
        try error(as: ResponseDecodingError.self) { _ = try response.decode(FixturePost.self) }
    }

    private static func error<Failure: Error>(as type: Failure.Type, of work: () throws -> Void) throws -> Failure {
        do {
            try work()
        } catch let error as Failure {
            return error
        }
        throw NotThrown(type: "\(type)")
    }

    private struct NotThrown: Error {
        let type: String
    }

    private static func ofTransfers(_ url: URL) -> [any LocalizableError] {
        var errors: [any LocalizableError] = TransferError.Kind.allCases.map { TransferError($0, url: url) }
        errors.append(TransferError(.other))
        errors.append(CircuitOpenError(retryAfter: .seconds(7), url: url))
        errors.append(LineFullError(maximumWaiting: 7, url: url))
        errors += FileTransferError.Kind.allCases.map { FileTransferError($0, file: url) }
        for code in [.EMFILE, .EEXIST, .EINVAL] as [POSIXError.Code] {
            errors.append(FileTransferError(.cannotCreate, file: url, underlyingError: POSIXError(code)))
        }
        errors += [
            TransferSecurityError.noCertificate, .malformedCertificate(number: 7), .noPrivateKey, .malformedPrivateKey,
            .passwordMissing, .malformedPin("sha1/7"), .unreadableFile(url),
        ]
        errors += [
            UnsupportedSettingError.security, .clientCertificate, .backgroundSession, .proxy, .proxyEntry("HTTPProxy"),
            .unixSocketPath("/a"), .pinnedHost("a:1"), .connectTimeout, .memory,
        ]
        errors += [StructuredFieldError.malformed(.integer, offset: 7), StructuredFieldError.unwritable(.key)]
        errors += [FileAnswerError.coded("gzip"), .partial, .contradictory]
        errors.append(AdapterError.callbackDropped(adapter: "Token"))
        errors += [StreamLimitError.lineTooLong(limit: 7), StreamLimitError.eventTooLong(limit: 7)]
        errors.append(StreamedBodyError.alreadyRead)
        errors += [
            AuthenticationError.refreshTimedOut(after: .seconds(7), origin: url.origin),
            .tooManyRefreshes(maximum: 7, origin: url.origin), .credentialRemoved(origin: url.origin),
        ]
        errors.append(EventSourceError(contentType: "text/html", method: "GET", url: url))
        errors.append(RepeatedPageError(URLRequest(url: url)))
        return errors
    }

    private static func ofPolicies(_ url: URL) throws -> [any LocalizableError] {
        let request = try fixtureRequest(url.absoluteString)
        return DeadlineExceeded.Stage.allCases.map { DeadlineExceeded(request, limit: .seconds(7), stage: $0) }
    }

    private static let ofFutures: [any LocalizableError] = [
        FutureError.abandoned(file: "A.swift", line: 7), FutureError.waitsForItself,
        FutureError.neitherValueNorError(file: "A.swift", line: 7), FutureError.emptySequence(file: "A.swift", line: 7),
        FutureError.timedOut(after: .seconds(7)), FutureError.missingValue(file: "A.swift", line: 7),
        AllFuturesFailedError(errors: []), AllFuturesFailedError(errors: [ResponseError.noResponse]),
        AllFuturesFailedError(errors: [ResponseError.noResponse, FutureError.waitsForItself]),
    ]
}

/// A way to errors with deprecated names for code that isn't deprecated itself.
private protocol DeprecatedErrors {
    var ofStatuses: [ResponseError] { get }
}

private struct Deprecated: DeprecatedErrors {
    @available(*, deprecated)
    var ofStatuses: [ResponseError] {
        [400, 401, 403, 404, 409, 422, 500, 503, 418, 502, 999].compactMap { StatusCode(rawValue: $0).error }
    }
}
