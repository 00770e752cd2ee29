#if canImport(FoundationNetworking)
    package import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The lines of an exchange in a log of the whole traffic.
package struct TrafficText: Sendable {
    /// The body of a response.
    package enum Body {
        case data(Data)
        case file(URL)
        case stream
        /// What is known of a body that wasn't saved.
        case excerpt(BodyExcerpt?)
    }

    /// How many bytes of a body are shown.
    package let bodyLimit: Int
    private let redaction: HeaderRedaction

    package init(bodyLimit: Int, redaction: HeaderRedaction) {
        self.bodyLimit = max(0, bodyLimit)
        self.redaction = redaction
    }

    /// The method and the URL.
    package func name(of urlRequest: URLRequest) -> String {
        let method = (urlRequest.httpMethod ?? "GET").escapingControlCharacters
        return "\(method) \(urlRequest.url?.text(redacting: redaction) ?? "(no URL)")"
    }

    /// The command for curl, and the body after it if the command doesn't have it.
    package func request(_ urlRequest: URLRequest, _ body: TransferBody) -> [String] {
        var command = urlRequest
        if command.httpBodyStream != nil { command.httpBodyStream = nil }
        guard case .data(let data) = body else {
            if command.httpBody?.isEmpty == false { command.httpBody = nil }
            return [command.curl(redacting: redaction)] + Self.lines(ofUnread: body)
        }
        // A command has all of a body or nothing of it.
        let isInCommand = data.count <= bodyLimit && data.plainText != nil
        if command.httpBody != nil || isInCommand { command.httpBody = isInCommand ? data : nil }
        let line = command.curl(redacting: redaction)
        guard !isInCommand else { return [line] }
        let contentEncoding = urlRequest.value(forHTTPHeaderField: "Content-Encoding")
        return [line]
            + MarkdownBody.lines(
                ofRequest: data, contentType: urlRequest.value(forHTTPHeaderField: "Content-Type"),
                contentEncoding: contentEncoding, limit: bodyLimit, redacting: redaction, showsBytes: false)
    }

    private static func lines(ofUnread body: TransferBody) -> [String] {
        switch body {
        case .file(let file): ["### Body", note(file)]
        case .chunks: MarkdownBody.stream
        case .none, .data: []
        }
    }

    /// The status, the headers and the body of a response.
    package func response(_ response: some ResponseInterface, _ body: Body) -> [String] {
        let lines = response.headMarkdown(redacting: redaction)
        let data: Data, excerpt: BodyExcerpt?
        switch body {
        case .data(let body): (data, excerpt) = (body, nil)
        case .file(let file): return lines + ["### Body", Self.note(file)]
        case .stream: return lines + MarkdownBody.stream
        case .excerpt(let body): (data, excerpt) = (body?.data ?? Data(), body)
        }
        guard !data.isEmpty else { return lines }
        return lines
            + MarkdownBody.lines(
                data, of: excerpt, contentType: response.bodyType, limit: bodyLimit, redacting: redaction,
                for: .responseText, showsBytes: false)
    }

    private static func note(_ file: URL) -> String {
        "(The file \(file.path(percentEncoded: false).escapingControlCharacters).)"
    }

    /// An error, of which nobody knows what its text has.
    package func error(_ error: any Error) -> [String] {
        let text = error.localizedDescription
        return ["## ERROR", redaction.isNone ? text : SecretText.redacted(text)]
    }
}
