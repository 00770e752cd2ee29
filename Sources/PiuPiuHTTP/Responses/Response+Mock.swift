public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// The methods that may fail to make a body throw, as in PiuPiu 1.8 to 1.11, whose mocks compile with and without `try`.
// There a request without a URL was a crash.
extension Response where Body == Data? {
    /// A made-up HTTP response with a model's JSON as its body, for tests and mock dispatchers.
    ///
    /// ```swift
    /// try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
    /// ```
    ///
    /// - Throws: ``RequestError/missingURL`` when the request has no URL;
    ///   ``MockResponseError/failedToEncodeBody(typeName:url:underlyingError:)`` when the encoder throws.
    public static func makeMockJSONResponse<E: Encodable>(
        with urlRequest: URLRequest, encodable: E, statusCode: StatusCode, headers: [String: String] = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> Response<Data?> {
        let url = try urlRequest.mockURL()
        let data: Data
        do {
            data = try encoder.encode(encodable)
        } catch {
            throw MockResponseError.failedToEncodeBody(
                typeName: readableName(of: E.self), url: url, underlyingError: error)
        }
        return makeMockResponse(with: urlRequest, data: data, statusCode: statusCode, headers: headers)
    }

    /// A made-up HTTP response with a JSON object as its body, for tests and mock dispatchers.
    ///
    /// A `nil` in the object becomes the JSON `null`.
    ///
    /// - Throws: ``RequestError/missingURL`` when the request has no URL;
    ///   ``MockResponseError/invalidJSONObject(url:)`` when the object holds a value that JSON can't express.
    public static func makeMockResponse(
        with urlRequest: URLRequest, jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = [],
        statusCode: StatusCode, headers: [String: String] = [:]
    ) throws -> Response<Data?> {
        let url = try urlRequest.mockURL()
        // Checked first, because on Apple platforms an invalid object makes the serialisation raise an Objective-C
        // exception.
        let json = JSONSerialization.withNulls(jsonObject)
        guard JSONSerialization.isValidJSONObject(json),
            let data = try? JSONSerialization.data(withJSONObject: json, options: options)
        else { throw MockResponseError.invalidJSONObject(url: url) }
        return makeMockResponse(with: urlRequest, data: data, statusCode: statusCode, headers: headers)
    }

    /// A made-up HTTP response with a text as its body, for tests and mock dispatchers.
    ///
    /// - Throws: ``RequestError/missingURL`` when the request has no URL;
    ///   ``MockResponseError/failedToEncodeString(encoding:url:)`` when the encoding lacks a character of the text.
    public static func makeMockResponse(
        with urlRequest: URLRequest, text: String, encoding: String.Encoding = .utf8,
        statusCode: StatusCode, headers: [String: String] = [:]
    ) throws -> Response<Data?> {
        let url = try urlRequest.mockURL()
        guard let data = text.encoded(in: encoding) else {
            throw MockResponseError.failedToEncodeString(encoding: encoding, url: url)
        }
        return makeMockResponse(with: urlRequest, data: data, statusCode: statusCode, headers: headers)
    }

    /// A made-up HTTP response with a text as its body, for tests and mock dispatchers.
    ///
    /// There is no body when the encoding lacks a character of the text, where
    /// ``makeMockResponse(with:text:encoding:statusCode:headers:)`` throws. For a request without a URL see
    /// ``makeMockResponse(with:data:statusCode:headers:)``.
    public static func makeMockResponse(
        with urlRequest: URLRequest, jsonString: String, encoding: String.Encoding = .utf8,
        statusCode: StatusCode, headers: [String: String] = [:]
    ) -> Response<Data?> {
        let data = jsonString.encoded(in: encoding)
        return makeMockResponse(with: urlRequest, data: data, statusCode: statusCode, headers: headers)
    }

    /// A made-up HTTP response with the given bytes as its body, or with none, for tests and mock dispatchers.
    ///
    /// ```swift
    /// Response.makeMockResponse(with: request, statusCode: .notFound)
    /// ```
    ///
    /// A request without a URL has no HTTP response. It gets a response of no protocol, whose `makeHTTPResponse()`
    /// throws ``ResponseError/notHTTPResponse``.
    public static func makeMockResponse(
        with urlRequest: URLRequest, data: Data? = nil, statusCode: StatusCode, headers: [String: String] = [:]
    ) -> Response<Data?> {
        let head = urlRequest.url.flatMap { url in
            HTTPURLResponse(
                url: url, statusCode: statusCode.rawValue, httpVersion: "HTTP/1.1", headerFields: headers)
        }
        return Response(data: data, urlRequest: urlRequest, urlResponse: head ?? .ofNoProtocol)
    }
}

extension URLResponse {
    /// The substitute for a head that can't be made.
    fileprivate static var ofNoProtocol: URLResponse {
        URLResponse(url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }
}

extension URLRequest {
    fileprivate func mockURL() throws -> URL {
        guard let url else { throw RequestError.missingURL }
        return url
    }
}
