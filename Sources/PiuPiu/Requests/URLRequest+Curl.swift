#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// The request as a command line for curl, to be tried in a POSIX shell.
    ///
    /// ```swift
    /// print(request.curl())
    /// // curl --request 'POST' --url 'https://example.com/posts' \
    /// //     --header 'Authorization: <redacted>' \
    /// //     --header 'Content-Type: application/json' \
    /// //     --data-raw '{"id":1}'
    /// ```
    ///
    /// Every argument is in single quotes, so that the shell and curl take it as it is. Headers are in the order of
    /// their names. A body that is no text is given in base64, and one that is a stream is read from standard input.
    ///
    /// The values of headers that hold credentials are redacted, and so are a user name and a password in the URL when
    /// the value of `Authorization` is. A query and a body are shown as they are: they may hold secrets as well.
    ///
    /// - Parameter redaction: which headers are redacted; ``HeaderRedaction/none`` shows all.
    public func curl(redacting redaction: HeaderRedaction = .secrets) -> String {
        let url = shownURL(redaction)
        var first = ["curl"]
        let method = httpMethod ?? "GET"
        let hasBody = httpBody?.isEmpty == false || httpBodyStream != nil
        switch method {
        case "GET" where !hasBody: break
        // With another method of this name curl would wait for a body.
        case "HEAD" where !hasBody: first.append("--head")
        default: first.append("--request \(method.quotedForShell)")
        }
        // Brackets and braces stand for several URLs otherwise.
        if url.contains(where: "[]{}".contains) { first.append("--globoff") }
        first.append("--url \(url.quotedForShell)")
        var lines = [first.joined(separator: " ")]
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            let shown = redaction.value(value, ofHeader: name)
            // An empty value after a colon would remove a header of curl's own.
            lines.append("--header \((shown.isEmpty ? "\(name);" : "\(name): \(shown)").quotedForShell)")
        }
        var pipe = ""
        if let body = httpBody, !body.isEmpty {
            if let text = body.textForShell {
                lines.append("--data-raw \(text.quotedForShell)")
            } else {
                pipe = "printf %s \(body.base64EncodedString().quotedForShell) | base64 -d | "
                lines.append("--data-binary @-")
            }
        } else if httpBodyStream != nil {
            lines.append("--data-binary @-")
        }
        return pipe + lines.joined(separator: " \\\n    ")
    }

    private func shownURL(_ redaction: HeaderRedaction) -> String {
        guard let url else { return "" }
        let shown = redaction.value("", ofHeader: "Authorization").isEmpty ? url : url.withoutUserInfo
        return shown.absoluteString
    }
}

extension Data {
    /// The text, unless there is something in it that a shell can't pass on or that a terminal would act on.
    fileprivate var textForShell: String? {
        guard let text = String(validating: self, as: UTF8.self) else { return nil }
        let isShown = text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0 == "\r" || $0 == "\t" || $0.properties.generalCategory != .control
        }
        return isShown ? text : nil
    }
}

extension String {
    /// The text in single quotes, in which a shell changes nothing. By scalars: a quotation mark with an accent on it
    /// ends the quotation too.
    fileprivate var quotedForShell: String {
        let pieces = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map { String($0) }
        return "'" + pieces.joined(separator: #"'\''"#) + "'"
    }
}
