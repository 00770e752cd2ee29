package import Foundation

/// The secrets in a body: members of JSON and those of URLs, anywhere in a text, the items of a form, and the fields of
/// a multipart form.
package enum SecretBody {
    /// The use of a redacted body.
    package enum Purpose {
        /// Read by people, the body of a request.
        case requestText
        /// Read by people, the body of a response.
        case responseText
        /// Sent again: the placeholder is encoded if needed.
        case request
        /// Received again: texts stay texts, and numbers numbers.
        case response

        fileprivate var isForPeople: Bool { self == .requestText || self == .responseText }
    }

    /// The body without its secrets; unchanged, byte for byte, if it has none.
    ///
    /// A body that is no text in UTF-8 also stays as it is if it is sent or received again, unless its type is that of
    /// JSON, a text or a form: then only a part of it has another encoding, such as Latin-1.
    ///
    /// - Parameter isCut: whether more may have followed, so that a secret at the end may not look like one.
    package static func redacted(
        _ body: Data, contentType: String?, by redaction: HeaderRedaction, for purpose: Purpose, isCut: Bool = false
    ) -> Data {
        guard !redaction.isNone else { return body }
        if let boundary = SecretFields.boundary(in: contentType) {
            return SecretFields.redacted(body, boundary: boundary, by: redaction, for: purpose, isCut: isCut)
        }
        return redacted(text: body, contentType: contentType, by: redaction, for: purpose, isCut: isCut)
    }

    /// The same for a body without parts. For people secrets in UTF-16 and UTF-32 are found, too.
    static func redacted(
        text body: Data, contentType: String?, by redaction: HeaderRedaction, for purpose: Purpose, isCut: Bool
    ) -> Data {
        if purpose.isForPeople, let wide = WideText(body) {
            let text = Data(wide.text.utf8)
            let shown = redacted(bytes: text, contentType: contentType, by: redaction, for: purpose, isCut: isCut)
            if shown != text { return wide.encoded(String(decoding: shown, as: UTF8.self)) }
        }
        return redacted(bytes: body, contentType: contentType, by: redaction, for: purpose, isCut: isCut)
    }

    private static func redacted(
        bytes body: Data, contentType: String?, by redaction: HeaderRedaction, for purpose: Purpose, isCut: Bool
    ) -> Data {
        let isForPeople = purpose.isForPeople
        let text = String(validating: body, as: UTF8.self)
        guard text != nil || isForPeople || isText(contentType) else { return body }
        // Other bytes as characters of their own, so that the names of a form are found.
        let form = text ?? String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
        if isForm(form, contentType: contentType) {
            let replacement = isForPeople ? HeaderRedaction.replacement : encodedReplacement
            let shown = URLText.redacted(items: form[...], by: redaction, replacement: replacement, isCut: isCut)
            return text == nil
                ? Data(shown.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) : Data(shown.utf8)
        }
        let isResponse = purpose == .response || purpose == .responseText
        let members = SecretMembers.redacted(
            Array(body), keepsTypes: purpose == .response, showsErrorCodes: isResponse && redaction.showsErrorCodes
        ) { redaction.redacts(name: $0, isNumber: $1) }
        return Data(SecretURLs.redacted(members, by: redaction, keepsPath: purpose == .response, isCut: isCut))
    }

    /// Whether a request's body is neither shown nor recorded, as secrets aren't found behind its content coding.
    package static func isLeftOut(contentEncoding: String?, by redaction: HeaderRedaction) -> Bool {
        !redaction.isNone && !HeadLines.contentCodings(contentEncoding.map { [$0] } ?? []).isEmpty
    }

    /// The text of a body for people.
    package static func redacted(
        _ text: String, contentType: String?, by redaction: HeaderRedaction, for purpose: Purpose, isCut: Bool = false
    ) -> String {
        let body = redacted(Data(text.utf8), contentType: contentType, by: redaction, for: purpose, isCut: isCut)
        return String(decoding: body, as: UTF8.self)
    }

    /// `<redacted>`, percent-encoded for a URL.
    package static let encodedReplacement = "%3Credacted%3E"

    /// Whether the type is one of text in which secrets are found, so that the body is no image or other binary data.
    private static func isText(_ contentType: String?) -> Bool {
        guard let type = contentType?.lowercased() else { return false }
        return ["json", "text/", URLEncodedForm.contentType].contains { type.contains($0) }
    }

    /// Without a Content-Type a body that looks like a form counts as one, as `URLSession` and curl send such bodies.
    private static func isForm(_ text: String, contentType: String?) -> Bool {
        if let contentType { return contentType.lowercased().contains(URLEncodedForm.contentType) }
        // A file ends with a line feed.
        let ending = text.utf8.reversed().prefix { $0 <= 0x20 }.count
        let items = text.utf8.dropLast(ending)
        return items.contains(UInt8(ascii: "=")) && !items.contains { $0 <= 0x20 || "\"{[<".utf8.contains($0) }
    }
}

extension String {
    /// The text with the escapes of a JSON string resolved; unchanged if it isn't one.
    var unescapingJSON: String {
        (try? JSONDecoder().decode(String.self, from: Data("\"\(self)\"".utf8))) ?? self
    }
}
