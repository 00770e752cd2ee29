public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension BasicRequest {
    /// The URL of the request on a server.
    ///
    /// ```swift
    /// var request = BasicRequest(method: .get, path: "posts", queryItems: [URLQueryItem(name: "q", value: "a+b c")])
    /// try request.url(withBaseURL: base)  // base: https://example.com/api; https://example.com/posts?q=a%2Bb%20c
    /// request.basePath = .kept
    /// try request.url(withBaseURL: base)  // https://example.com/api/posts?q=a%2Bb%20c
    /// ```
    ///
    /// - The path replaces that of the base URL. With ``BasePath/kept`` it is appended to it, with one slash between.
    ///   An empty path removes the base URL's path; with ``BasePath/kept`` it leaves it alone.
    /// - A path in which two hexadecimal digits follow each `%` counts as percent-encoded and keeps its codes. In any
    ///   other path a `%` is encoded like other characters. So `a%20b` and `a b` are the same path, `100%` is `100%25`,
    ///   and only a literal `%41` has to be written as `%2541`. `?` and `#` are part of the path and encoded.
    /// - Query items are plain text, and are always encoded: a space as `%20` and a plus as `%2B`, so that every server
    ///   reads them correctly. PiuPiu 1.x didn't encode the plus, which many servers read as a space.
    /// - With ``BasePath/kept`` a path whose `..` lead out of the base URL is an error, in any encoding.
    /// - The query items replace the base URL's query. Without any there is no query, and no `?`. An item without name
    ///   and value is left out.
    /// - The rest of the base URL stays, including a fragment.
    ///
    /// - Throws: ``InvalidRequestError/invalidURL(baseURL:path:)`` if they make no URL,
    ///   ``InvalidRequestError/pathLeavesBase(baseURL:path:)`` if the path leads out of a base URL that is kept.
    public func url(withBaseURL baseURL: URL) throws(InvalidRequestError) -> URL {
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw .invalidURL(baseURL: baseURL, path: path)
        }
        if basePath == .kept, leavesBase { throw .pathLeavesBase(baseURL: baseURL, path: path) }
        components.percentEncodedPath = percentEncodedPath(on: components.percentEncodedPath)
        components.percentEncodedQuery = queryItems.percentEncodedQuery
        guard let url = components.url else { throw .invalidURL(baseURL: baseURL, path: path) }
        return url
    }

    /// The request as it is sent to a server.
    ///
    /// If several header names differ only in case, the last one in the order of Unicode counts.
    ///
    /// - Throws: what ``url(withBaseURL:)`` throws; ``InvalidRequestError/invalidHeaderName(_:url:)`` and
    ///   ``InvalidRequestError/invalidHeaderValue(name:url:)`` for a header that would be none, or several.
    public func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
        let url = try url(withBaseURL: baseURL)
        var request = URLRequest(url: url, method: method)
        try request.setHeaders(headers, url: url)
        request.httpBody = httpBody
        if let timeoutInterval { request.timeoutInterval = timeoutInterval }
        if let cachePolicy { request.cachePolicy = cachePolicy }
        return request
    }

    private var percentEncodedPath: String {
        let isEncoded = PercentEncoding.isPossible(in: path)
        return PercentEncoding.encoded(path.utf8) { byte in
            PercentEncoding.isUnreserved(byte) || "/!$&'()*+,;=:@".utf8.contains(byte)
                || isEncoded && byte == UInt8(ascii: "%")
        }
    }

    /// Whether `..` segments lead above the start of the path. Encoded slashes and backslashes count as slashes, as
    /// some servers read them so.
    private var leavesBase: Bool {
        var depth = 0
        let readable = percentEncodedPath.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/")
        for segment in readable.replacing("%5c", with: "/").split(separator: "/") {
            switch segment {
            case ".": break
            case "..": depth -= 1
            default: depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }

    private func percentEncodedPath(on base: String) -> String {
        var own = percentEncodedPath
        if !own.isEmpty, !own.hasPrefix("/") { own = "/" + own }
        return switch basePath {
        case .replaced: own
        case .kept where own.isEmpty: base
        case .kept: (base.hasSuffix("/") ? base.dropLast() : base[...]) + own
        }
    }
}
