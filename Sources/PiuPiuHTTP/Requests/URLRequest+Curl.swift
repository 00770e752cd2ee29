#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// The request as a command line for curl in a POSIX shell.
    ///
    /// ```swift
    /// print(request.curl())
    /// // curl --request 'POST' --url 'https://example.com/posts' \
    /// //     --header 'Authorization: <redacted>' \
    /// //     --header 'Content-Type: application/json' \
    /// //     --data-raw '{"id":1}'
    /// ```
    ///
    /// Every argument is in single quotes, so that the shell and curl take it unchanged. Headers are in the order of
    /// their names. Control characters in them, except tabs, and in the method are escaped: a terminal might obey them.
    /// A body that is no text, or has more than 100,000 bytes, is written in base64: a command can't have a much longer
    /// argument on Linux. A body that is a stream is read from standard input.
    ///
    /// curl sends the same request, as far as it is known here: an upload has its body beside the request. A
    /// `Content-Length` or a `Transfer-Encoding` of your own is left out, a POST, PUT or PATCH whose `httpBody` is
    /// empty, but not `nil`, announces the length 0, and a body without a Content-Type gets none, as on Linux. Without
    /// a `User-Agent` or an `Accept` in the request curl sends its own, and with a large body it may send an `Expect`.
    ///
    /// The values of headers with credentials are redacted. A redaction of `Authorization` also covers the user and
    /// password in a URL, and the values of secret names, such as `access_token`, in its query, in forms and in JSON,
    /// also where the body is written in base64. A body with a content coding, behind which they aren't found, is
    /// `<redacted>` as a whole.
    ///
    /// - Parameter redaction: which headers are redacted; ``HeaderRedaction/none`` shows all.
    public func curl(redacting redaction: HeaderRedaction = .secrets) -> String {
        let url = url?.text(redacting: redaction) ?? ""
        var first = ["curl"]
        let method = httpMethod ?? "GET"
        let hasBody = httpBody?.isEmpty == false || httpBodyStream != nil
        switch method {
        case "GET" where !hasBody: break
        // With another method of this name curl would wait for a body.
        case "HEAD" where !hasBody: first.append("--head")
        default: first.append("--request \(method.escapingControlCharacters.quotedForShell)")
        }
        // Otherwise brackets and braces stand for several URLs.
        if url.contains(where: "[]{}".contains) { first.append("--globoff") }
        if url.hasDotSegments { first.append("--path-as-is") }
        first.append("--url \(url.quotedForShell)")
        var lines = [first.joined(separator: " ")]
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key })
        where !Self.headersOfTheBody.contains(name.lowercased()) {
            let shown = redaction.value(value, ofHeader: name).escapingAllControlCharacters(except: "\t")
            // Nothing, or blanks, after a colon would remove a header of curl's own, and add none.
            let isBlank = shown.allSatisfy { $0 == " " || $0 == "\t" }
            let shownName = name.escapingControlCharacters
            lines.append("--header \((isBlank ? "\(shownName);" : "\(shownName): \(shown)").quotedForShell)")
        }
        if hasBody {
            // Otherwise curl calls any body a form.
            if value(forHTTPHeaderField: "Content-Type") == nil { lines.append("--header 'Content-Type:'") }
        } else if httpBody != nil, ["POST", "PUT", "PATCH"].contains(method) {
            // As it is sent: curl announces no length without a body. With none at all this may be an upload.
            lines.append("--header 'Content-Length: 0'")
        }
        var pipe = ""
        if let body = httpBody, !body.isEmpty {
            let shown = shownBody(body, redacting: redaction)
            if shown.count <= Self.longestArgument, let text = shown.plainText {
                lines.append("--data-raw \(text.quotedForShell)")
            } else {
                pipe = "printf %s \(shown.base64EncodedString().quotedForShell) | base64 -d | "
                lines.append("--data-binary @-")
            }
        } else if httpBodyStream != nil {
            lines.append("--data-binary @-")
        }
        return pipe + lines.joined(separator: " \\\n    ")
    }

    /// How many bytes of a body are an argument. Linux runs no command with one of 131,072 bytes; `printf` is a part of
    /// the shell.
    private static let longestArgument = 100_000

    private func shownBody(_ body: Data, redacting redaction: HeaderRedaction) -> Data {
        let contentEncoding = value(forHTTPHeaderField: "Content-Encoding")
        guard !SecretBody.isLeftOut(contentEncoding: contentEncoding, by: redaction) else {
            return Data(HeaderRedaction.replacement.utf8)
        }
        let contentType = value(forHTTPHeaderField: "Content-Type")
        return SecretBody.redacted(body, contentType: contentType, by: redaction, for: .requestText)
    }
}

extension String {
    /// Whether a segment of the URL's path is `.` or `..`, which curl would resolve before it asks.
    fileprivate var hasDotSegments: Bool {
        let address = cut(at: "#").0.cut(at: "?").0.lowercased().replacing("%2e", with: ".")
        return address.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// The text in single quotes, in which a shell changes nothing. By scalars: a quotation mark with an accent on it
    /// also ends the quotation.
    fileprivate var quotedForShell: String {
        let pieces = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map { String($0) }
        return "'" + pieces.joined(separator: #"'\''"#) + "'"
    }
}
