public import Foundation

extension HTTPBodyHolding {
    /// Sets the body to a text in UTF-8, and no header.
    public mutating func setHTTPBody(string: String) {
        httpBody = Data(string.utf8)
    }

    /// Sets the body to a text in an encoding, and no header.
    ///
    /// - Throws: ``RequestBodyError`` of the kind ``RequestBodyError/Kind/unencodableText(_:)`` if the encoding lacks a
    ///   character of the text; the request stays as it was.
    public mutating func setHTTPBody(text: String, encoding: String.Encoding) throws(RequestBodyError) {
        guard let data = text.encoded(in: encoding) else {
            throw RequestBodyError(.unencodableText(encoding), request: nameForErrors)
        }
        httpBody = data
    }

    /// Sets the body to a text of JSON, in UTF-8, and the Content-Type to `application/json` if there is none yet.
    public mutating func setJSONBody(string: String) {
        setHTTPBody(string: string)
        ensureJSONContentType()
    }

    /// Sets the body to a text of JSON, and the Content-Type to `application/json` if there is none yet.
    ///
    /// - Throws: ``RequestBodyError`` of the kind ``RequestBodyError/Kind/unencodableText(_:)`` if the encoding lacks a
    ///   character of the text; the request stays as it was.
    public mutating func setJSONBody(text: String, encoding: String.Encoding) throws(RequestBodyError) {
        try setHTTPBody(text: text, encoding: encoding)
        ensureJSONContentType()
    }

    /// The name of PiuPiu 1.x. It can't throw: if the encoding lacks a character of the text, the request has no body.
    @available(*, deprecated, message: "Use setHTTPBody(text:encoding:), which throws where this leaves no body.")
    public mutating func setHTTPBody(string: String, encoding: String.Encoding) {
        httpBody = string.encoded(in: encoding)
    }

    /// The name of PiuPiu 1.x. It can't throw: if the encoding lacks a character of the text, the request has no body.
    @available(*, deprecated, message: "Use setJSONBody(text:encoding:), which throws where this leaves no body.")
    public mutating func setJSONBody(string: String, encoding: String.Encoding) {
        httpBody = string.encoded(in: encoding)
        ensureJSONContentType()
    }
}
