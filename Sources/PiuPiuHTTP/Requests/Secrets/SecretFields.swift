import Foundation

/// Redacts the fields of a multipart form with secret names (RFC 7578), and the secrets in its other parts.
///
/// The form may be cut.
package enum SecretFields {
    /// The boundary of a multipart form; `nil` if the body is none.
    package static func boundary(in contentType: String?) -> String? {
        guard let type = contentType.flatMap({ MediaType(Array($0.utf8)[...]) }), type.essence == "multipart/form-data",
            let boundary = type.parameter("boundary"), !boundary.isEmpty
        else { return nil }
        return boundary
    }

    /// The form without its secrets.
    static func redacted(
        _ body: Data, boundary: String, by redaction: HeaderRedaction, for purpose: SecretBody.Purpose, isCut: Bool
    ) -> Data {
        let (delimiter, endOfHead) = (Data("--\(boundary)".utf8), Data("\r\n\r\n".utf8))
        var output = Data()
        var place = body.startIndex
        while let start = body.range(of: delimiter, in: place..<body.endIndex)?.upperBound,
            let head = body.range(of: endOfHead, in: start..<body.endIndex)
        {
            let next = body.range(of: Data("\r\n".utf8) + delimiter, in: head.upperBound..<body.endIndex)
            let end = next?.lowerBound ?? body.endIndex
            let part = Part(head: body[start..<head.lowerBound], content: body[head.upperBound..<end])
            output += body[place..<head.upperBound]
            output += part.redacted(by: redaction, for: purpose, isCut: isCut && next == nil)
            place = end
        }
        // The end, or a body that is no form at all.
        let rest = SecretBody.redacted(
            text: body[place...], contentType: "text/plain", by: redaction, for: purpose, isCut: isCut)
        return output + rest
    }

    private struct Part {
        private var name: String?
        private var contentType: String?
        private let content: Data

        init(head: Data, content: Data) {
            self.content = content
            for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...]
                switch line[..<colon].lowercased() {
                case "content-disposition":
                    // A media type has parameters of the same form, but a slash before them.
                    name = MediaType(Array("form/\(value.drop { $0 == " " })".utf8)[...])?.parameter("name")
                case "content-type": contentType = value.trimmingCharacters(in: .whitespaces)
                default: break
                }
            }
        }

        func redacted(by redaction: HeaderRedaction, for purpose: SecretBody.Purpose, isCut: Bool) -> Data {
            guard let name, redaction.redacts(item: name), !content.isEmpty else {
                return SecretBody.redacted(
                    text: content, contentType: contentType ?? "text/plain", by: redaction, for: purpose, isCut: isCut)
            }
            return Data(HeaderRedaction.replacement.utf8)
        }
    }
}
