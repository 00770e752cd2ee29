import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Post: Codable, Sendable {
    let id: Int
    let title: String
}

@MainActor
final class Screen {
    var title = ""
    var share: Float = 0
    var events: [String] = []
}

// row: a request without query items ends with a bare `?`
func makeURLWithoutQuery(_ baseURL: URL) throws -> Bool {
    try BasicRequest(method: .get, path: "/posts", queryItems: []).url(withBaseURL: baseURL).query() == nil
}

// row: a path without a leading `/` is `URLError(.badURL)`
func makeRequest(for path: String, _ server: URL) throws -> URLRequest? {
    do {
        return try BasicRequest(method: .get, path: path).urlRequest(withBaseURL: server)
    } catch URLError.badURL {
        return nil  // an old catch, which never matches
    } catch InvalidRequestError.invalidURL(let baseURL, let path) {
        print(baseURL, path)
        return nil
    }
}

// row: `%20` in a path becomes `%2520`
func makeEncodedURL(_ baseURL: URL) throws -> [URL] {
    try ["a%20b", "a b", "%2541"].map { try BasicRequest(method: .get, path: $0).url(withBaseURL: baseURL) }
}

// row: a `+` in a query value is left as it is, and often read as a space
func makeQuery(_ baseURL: URL) throws -> String? {
    let items = [URLQueryItem(name: "q", value: "1 + 1; it's 2")]
    return try BasicRequest(method: .get, path: "/search", queryItems: items).url(withBaseURL: baseURL).query()
}

// row: a `content-type` header and `setJSONBody` make one header of two values
func makeOneContentType() throws -> [String: String] {
    var request = BasicRequest(method: .post, path: "/posts", headers: ["content-type": "application/vnd.api+json"])
    try request.setJSONBody(Post(id: 1, title: "A"))
    return request.headers
}

// row: errors of encoding a body are bare
func encodeInfinity(_ request: inout URLRequest) -> RequestBodyError? {
    do {
        try request.setJSONBody(["a": Double.infinity])
        return nil
    } catch {
        print(error.codingPath, error.underlyingError as Any)
        return error
    }
}

// row: a JSON object with a date or a NaN in it crashes or throws a bare error
func encodeDate(_ request: inout URLRequest) -> RequestBodyError? {
    do {
        try request.setJSONBody(jsonObject: ["date": Date(), "number": Double.nan])
        return nil
    } catch {
        return error
    }
}

// row: `debug()` and Markdown show credentials, and headers in any order; without a URL they crash
func debugResponse(_ response: Response<Data?>) -> String {
    response.debug()
    response.debug(redacting: .none)
    return response.makeRequestMarkdown()
}

// row: every header goes along with a redirect to another server
func keepKey(_ request: inout URLRequest) -> URLRequestDispatcher {
    request.setValue("key", forHTTPHeaderField: "X-API-Key")
    return URLRequestDispatcher(
        redirectPolicy: .decide { redirect, next in
            var next = next
            let key = redirect.urlRequest.value(forHTTPHeaderField: "X-API-Key")
            if next.url?.host() == "example.com" { next.setValue(key, forHTTPHeaderField: "X-API-Key") }
            return next
        })
}

// row: a body without a `Content-Type` is sent as a form
func makeLogins(_ url: URL) -> [URLRequest] {
    var form = URLRequest(url: url, method: .post), text = form
    form.setFormBody(["user": "ada", "password": "1815"])
    text.httpBody = Data("user=ada&password=1815".utf8)
    text.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    return [form, text]
}

// row: a request without a `User-Agent` has that of Foundation
func makeNamedDispatcher() -> URLRequestDispatcher {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["User-Agent": "Blog/2.1"]
    return URLRequestDispatcher(configuration: configuration)
}

// row: a response body that isn't UTF-8 is shown as an error text; one with a fence ends the fence
func makeMarkdown(of bytes: Data, _ request: URLRequest) throws -> String {
    Response.makeMockResponse(with: request, data: bytes, statusCode: .ok).makeResponseMarkdown()
}

// row: `makeMockJSONResponse` ignores `encoder`, and crashes without a URL
func makeMockDate(_ request: URLRequest) throws -> Response<Data?>? {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    do {
        return try Response.makeMockJSONResponse(with: request, encodable: Date(), statusCode: .ok, encoder: encoder)
    } catch RequestError.missingURL {
        return nil
    }
}

// row: `errorKey` on two kinds of errors, texts fixed
func key(of error: any Error) -> String? {
    ErrorLocalization(bundle: .main, table: "PiuPiu").install()
    let error: (any PiuPiu.LocalizableError)? = error as? any LocalizableError
    return error?.errorKey
}

// row: `decodeJSONObject` throws Foundation's error
func readObject(_ response: Response<Data?>) throws -> [String: Any]? {
    do {
        return try response.decodeJSONObject() as? [String: Any]
    } catch let error as ResponseDecodingError {
        print(error.underlyingError)
        return nil
    }
}

// row: `IntFromStringTransform` and the like are classes
func share(_ formatter: DateFormatter) -> [any Sendable] {
    let dates = DateTransform(formatter: formatter)
    formatter.dateFormat = "yyyy"  // not for `dates`
    return [IntFromStringTransform(), dates]
}

// row: `encodeIfPresent` of a `String?` that is nil, with `EmptyStringTransform`
struct Profile: Encodable {
    enum CodingKeys: CodingKey { case nick }

    let nick: String?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(nick, forKey: .nick, using: EmptyStringTransform())
    }
}

// row: dates of `.rfc3339` have no fractions, and are Julian before 1582
func makeCoders() -> (JSONEncoder, JSONDecoder) {
    let encoder = JSONEncoder(), decoder = JSONDecoder()
    encoder.dateEncodingStrategy = .rfc3339(fractionalDigits: 3)
    decoder.dateDecodingStrategy = .rfc3339
    return (encoder, decoder)
}

// row: an index that isn't there, in `integerValue(atIndex:matching:)` and `stringValue(atIndex:matching:)`, crashes
func readMissingValues(_ url: URL) -> Bool {
    let pattern: [PathComponent] = ["users", .wildcard(type: .integer)]
    return url.integerValue(atIndex: 7, matching: pattern) == nil
        && url.stringValue(atIndex: 7, matching: pattern) == nil
}

// row: `%2F` splits a path segment
func readSlash() -> String? {
    URL(string: "https://example.com/folders/a%2Fb")?
        .stringValue(atIndex: 1, matching: ["folders", .wildcard(type: .string)])
}

// row: `.other(429)` and other codes without a case
func isThrottled(_ status: StatusCode) -> Bool {
    if status == .other(429) { return true }
    switch status {
    case .tooManyRequests: return true
    default: return false
    }
}
