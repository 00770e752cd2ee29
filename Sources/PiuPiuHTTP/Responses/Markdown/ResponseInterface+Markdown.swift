public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseInterface {
    /// The request as Markdown, for a log or a report: method, URL, headers in the order of their names, and body.
    ///
    /// ```
    /// ## REQUEST
    /// [POST] https://example.com/posts
    /// ### Headers
    /// * Authorization: <redacted>
    /// * Content-Type: application/json
    /// ### Body
    /// ```
    ///
    /// A body of text stands in a fence that it can't close, any other body in base64. A stream is named and not read.
    /// Control characters in a header are escaped, so that it stays on its line.
    ///
    /// The values of headers with credentials are redacted. A redaction of `Authorization` also covers the user and
    /// password in a URL, and the values of secret names, such as `access_token`, in its query, in forms and in JSON.
    /// A body that is sent with a content coding, behind which they aren't found, isn't shown.
    ///
    /// - Parameters:
    ///   - redaction: the headers whose values aren't shown.
    ///   - bodyLimit: how many bytes of the body are shown; `nil` for all.
    public func makeRequestMarkdown(redacting redaction: HeaderRedaction = .secrets, bodyLimit: Int? = nil) -> String {
        let method = (urlRequest.httpMethod ?? "GET").escapingControlCharacters
        let url = urlRequest.url?.text(redacting: redaction) ?? "(no URL)"
        var lines = ["## REQUEST", "[\(method)] \(url)"]
        let headers = urlRequest.allHTTPHeaderFields ?? [:]
        if !headers.isEmpty { lines += MarkdownHeaders.lines(headers, redacting: redaction) }
        if let body = urlRequest.httpBody, !body.isEmpty {
            lines += MarkdownBody.lines(
                ofRequest: body, contentType: urlRequest.value(forHTTPHeaderField: "Content-Type"),
                contentEncoding: urlRequest.value(forHTTPHeaderField: "Content-Encoding"), limit: bodyLimit,
                redacting: redaction)
        } else if urlRequest.httpBodyStream != nil {
            lines += MarkdownBody.stream
        }
        return lines.joined(separator: "\n")
    }

    /// The lines of the head: status, URL, cache and headers.
    func headMarkdown(redacting redaction: HeaderRedaction) -> [String] {
        let method = "[\((urlRequest.httpMethod ?? "GET").escapingControlCharacters)]"
        let status = status.map { "(\($0.rawValue))" }
        let url = (urlResponse.url ?? urlRequest.url)?.text(redacting: redaction) ?? "(no URL)"
        var lines = ["## RESPONSE", [method, status, url].compactMap(\.self).joined(separator: " ")]
        if let cacheStatus { lines.append("Cache: \(cacheStatus)") }
        if let head = urlResponse as? HTTPURLResponse {
            lines += MarkdownHeaders.lines(head.headersByName, redacting: redaction)
        }
        return lines
    }

    /// The type of the body, as the server or Foundation says.
    var bodyType: String? {
        (urlResponse as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type") ?? urlResponse.mimeType
    }
}

extension ResponseInterface where Body == Data? {
    /// The response as Markdown, for a log or a report: status, URL, headers in the order of their names, and body.
    ///
    /// ```
    /// ## RESPONSE
    /// [GET] (200) https://example.com/posts
    /// ### Headers
    /// * Content-Type: application/json
    /// ### Body
    /// ```
    ///
    /// If a cache was asked, a line after the URL has its status: "Cache: PiuPiu; hit; ttl=3600". A response that
    /// didn't come over HTTP has neither status nor headers. The rest is as in
    /// ``makeRequestMarkdown(redacting:bodyLimit:)``.
    ///
    /// - Parameters:
    ///   - redaction: the headers whose values aren't shown.
    ///   - bodyLimit: how many bytes of the body are shown; `nil` for all.
    public func makeResponseMarkdown(redacting redaction: HeaderRedaction = .secrets, bodyLimit: Int? = nil) -> String {
        var lines = headMarkdown(redacting: redaction)
        if let data, !data.isEmpty {
            lines += MarkdownBody.lines(
                data, contentType: bodyType, limit: bodyLimit, redacting: redaction, for: .responseText)
        }
        return lines.joined(separator: "\n")
    }

    /// Prints the request and the response to the standard output, as Markdown between two lines; also in release
    /// builds.
    ///
    /// ```swift
    /// .success { response in response.debug(bodyLimit: 1_000) }
    /// ```
    ///
    /// - Parameters:
    ///   - redaction: the headers whose values aren't shown; `.none` shows them all.
    ///   - bodyLimit: how many bytes of each body are shown; `nil` for all.
    public func debug(redacting redaction: HeaderRedaction = .secrets, bodyLimit: Int? = nil) {
        let line = String(repeating: "=", count: 80)
        let parts = [
            line, makeRequestMarkdown(redacting: redaction, bodyLimit: bodyLimit), String(repeating: "-", count: 80),
            makeResponseMarkdown(redacting: redaction, bodyLimit: bodyLimit), line,
        ]
        // In one call, so that the texts of several responses don't mix.
        print(parts.joined(separator: "\n"))
    }
}
