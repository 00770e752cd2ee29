package import Foundation

/// The secrets in a body: members of JSON, wherever it stands in a text, and the items of a form.
package enum SecretBody {
    /// What a body is redacted for.
    package enum Purpose {
        /// To be read, as that of a request.
        case requestText
        /// To be read, as that of a response.
        case responseText
        /// To be sent again: the placeholder is encoded where it has to be.
        case request
        /// To be received again: texts stay texts, and numbers numbers.
        case response
    }

    /// The body without its secrets; as it is, byte for byte, if it has none, or if it is no text in UTF-8.
    package static func redacted(
        _ body: Data, contentType: String?, by redaction: HeaderRedaction, for purpose: Purpose
    ) -> Data {
        guard !redaction.isNone, let text = String(validating: body, as: UTF8.self) else { return body }
        if isForm(text, contentType: contentType) {
            let isText = purpose == .requestText || purpose == .responseText
            let replacement = isText ? HeaderRedaction.replacement : encodedReplacement
            return Data(URLText.redacted(items: text[...], by: redaction, replacement: replacement).utf8)
        }
        let isResponse = purpose == .response || purpose == .responseText
        return Data(
            SecretMembers.redacted(
                Array(body), keepsTypes: purpose == .response, showsErrorCodes: isResponse && redaction.showsErrorCodes
            ) { redaction.redacts(item: $0) })
    }

    /// The text of a body to be read.
    package static func redacted(
        _ text: String, contentType: String?, by redaction: HeaderRedaction, for purpose: Purpose
    ) -> String {
        let body = redacted(Data(text.utf8), contentType: contentType, by: redaction, for: purpose)
        return String(decoding: body, as: UTF8.self)
    }

    /// `<redacted>` as it stands in a URL.
    package static let encodedReplacement = "%3Credacted%3E"

    /// What `URLSession` and curl send without a Content-Type is taken for a form as well.
    private static func isForm(_ text: String, contentType: String?) -> Bool {
        if let contentType { return contentType.lowercased().contains(URLEncodedForm.contentType) }
        return text.utf8.contains(UInt8(ascii: "=")) && !text.utf8.contains { $0 <= 0x20 || "\"{[<".utf8.contains($0) }
    }
}

extension String {
    /// The text of which these are the inner characters of a JSON string; as it is, if it is none.
    var unescapingJSON: String {
        (try? JSONDecoder().decode(String.self, from: Data("\"\(self)\"".utf8))) ?? self
    }
}
