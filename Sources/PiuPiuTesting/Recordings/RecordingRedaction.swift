import Foundation
import PiuPiu

/// Leaves secrets out of a recording, and keeps it able to answer the requests that it was made from.
struct RecordingRedaction {
    private let redaction: HeaderRedaction

    init(_ redaction: HeaderRedaction) {
        self.redaction = redaction
    }

    /// The URL with its secrets replaced; the result is still a URL.
    func redacted(_ url: URL) -> URL {
        let text = URLText.redacted(
            url.absoluteString, by: redaction, replacement: SecretBody.encodedReplacement, keepsPath: true)
        return URL(string: text) ?? url
    }

    /// The headers and the body without their secrets. A response's body has come without its content coding.
    func redacted(
        _ headers: [String: String], _ body: RecordedExchange.Body, for purpose: SecretBody.Purpose
    ) -> (headers: [String: String], body: RecordedExchange.Body) {
        // A request to the location of a redirect is found by its path, too.
        let shown = Dictionary(
            uniqueKeysWithValues: headers.map { ($0, redaction.value($1, ofHeader: $0, keepsPath: true)) })
        guard case .data(let data) = body else { return (shown, body) }
        let contentEncoding = headers.value(ofHeader: "content-encoding")
        if purpose == .request, SecretBody.isLeftOut(contentEncoding: contentEncoding, by: redaction) {
            return (shown, .omitted)
        }
        let contentType = headers.value(ofHeader: "content-type")
        let redacted = SecretBody.redacted(data, contentType: contentType, by: redaction, for: purpose)
        // A Content-Length that differs from the body's length would be an error for the receiver.
        let fitted = shown.map { name, value in
            (name, name.lowercased() == "content-length" && value == "\(data.count)" ? "\(redacted.count)" : value)
        }
        return (Dictionary(uniqueKeysWithValues: fitted), .data(redacted))
    }
}

extension [String: String] {
    /// The value of a header, whose name is given in lower case.
    func value(ofHeader key: String) -> String? {
        first { $0.key.lowercased() == key }?.value
    }
}
