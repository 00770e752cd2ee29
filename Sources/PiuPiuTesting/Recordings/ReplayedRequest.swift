import Foundation
import PiuPiu

/// A recorded request that requests are compared with.
///
/// Many may ask for one URL: its body is parsed when that is first needed, and not again.
final class ReplayedRequest: Sendable {
    /// What a comparison needs of a body, beside its bytes.
    struct Body: Sendable {
        /// Of a multipart form.
        let boundary: String?
        /// JSON in one order; `nil` if the body isn't JSON, or none that can be written.
        let json: Data?
        /// What was left out of the JSON.
        let placeholders: JSONPlaceholders?
        /// Whether a value was left out of the body, or of the URL.
        let hasPlaceholder: Bool
        /// Each byte as a character, as a form may contain a file; `nil` if nothing was left out.
        private let text: String?

        fileprivate init(of request: TrafficRecording.Request) {
            let data = request.body.data ?? Data(), url = request.url.absoluteString
            boundary = SecretFields.boundary(in: request.headers.value(ofHeader: "content-type"))
            let json = boundary == nil ? RecordedPlaceholders.json(data) : nil
            self.json = json.flatMap { RecordedPlaceholders.sorted($0) }
            placeholders = json.flatMap { JSONPlaceholders(in: $0) }
            hasPlaceholder = [HeaderRedaction.replacement, SecretBody.encodedReplacement].contains { placeholder in
                url.contains(placeholder) || data.range(of: Data(placeholder.utf8)) != nil
            }
            // As in a form, where it may be encoded in other ways, too.
            let mayHavePlaceholder = data.range(of: Data("redacted".utf8)) != nil
            text = mayHavePlaceholder ? String(data: data, encoding: .isoLatin1) : nil
        }

        /// Whether other bytes are the same text, whatever was left out of it.
        func matches(masked data: Data) -> Bool {
            guard let recorded = self.text, let text = String(data: data, encoding: .isoLatin1) else { return false }
            return RecordedPlaceholders.masked(text, like: recorded) == recorded
                || RecordedPlaceholders.matches(text, recorded)
        }
    }

    let request: TrafficRecording.Request
    private let parsed = Locked<Body?>(nil)

    init(_ request: TrafficRecording.Request) {
        self.request = request
    }

    /// The bytes of the body.
    var data: Data { request.body.data ?? Data() }

    /// The body, parsed.
    var body: Body {
        if let body = parsed.withLock({ $0 }) { return body }
        let body = Body(of: request)
        parsed.withLock { $0 = body }
        return body
    }
}
