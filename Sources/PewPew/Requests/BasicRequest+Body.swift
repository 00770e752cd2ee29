public import Foundation
import PiuPiu

extension BasicRequest {
    /// Sets the body to a text, or to `nil` if the encoding lacks a character of it. It sets no header.
    public mutating func setHTTPBody(string: String, encoding: String.Encoding = .utf8) {
        httpBody = string.encoded(in: encoding)
    }

    /// Sets the body to a text of JSON, as ``setHTTPBody(string:encoding:)`` does, and the Content-Type to
    /// `application/json` if there is none yet.
    public mutating func setJSONBody(string: String, encoding: String.Encoding = .utf8) {
        setHTTPBody(string: string, encoding: encoding)
        ensureJSONContentType()
    }

    /// Sets the body to a JSON object, and the Content-Type to `application/json` if there is none yet.
    ///
    /// A `nil` becomes the JSON `null`.
    ///
    /// - Throws: `PiuPiu.RequestBodyError` if the object holds a value that JSON can't express; the request stays as it
    ///   was.
    public mutating func setJSONBody(
        jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []
    ) throws {
        try setJSONBody(by: { request in try request.setHTTPBody(jsonObject: jsonObject, options: options) })
    }

    /// Sets the body to a JSON object and the Content-Type: the same as ``setJSONBody(jsonObject:options:)``.
    public mutating func setHTTPBody(
        jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []
    ) throws {
        try setJSONBody(jsonObject: jsonObject, options: options)
    }

    /// Sets the body to a JSON array of objects, and the Content-Type to `application/json` if there is none yet.
    ///
    /// A `nil` becomes the JSON `null`.
    ///
    /// - Throws: `PiuPiu.RequestBodyError` if an object holds a value that JSON can't express; the request stays as it
    ///   was.
    public mutating func setJSONBody(
        jsonArray: [[String: Any?]], options: JSONSerialization.WritingOptions = []
    ) throws {
        try setJSONBody(by: { request in try request.setHTTPBody(jsonArray: jsonArray, options: options) })
    }

    /// Sets the body to a JSON array of objects and the Content-Type: the same as ``setJSONBody(jsonArray:options:)``.
    public mutating func setHTTPBody(
        jsonArray: [[String: Any?]], options: JSONSerialization.WritingOptions = []
    ) throws {
        try setJSONBody(jsonArray: jsonArray, options: options)
    }

    /// Sets the body to the JSON of a value, and the Content-Type to `application/json` if there is none yet.
    ///
    /// - Parameters:
    ///   - encodable: the value.
    ///   - dateEncodingStrategy: how dates are written.
    /// - Throws: the error of the encoder, such as an `EncodingError`; the request stays as it was.
    public mutating func setJSONBody<T: Encodable>(
        encodable: T, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .rfc3339
    ) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = dateEncodingStrategy
        httpBody = try encoder.encode(encodable)
        ensureJSONContentType()
    }

    /// Sets the body to the JSON of a value: the same as ``setJSONBody(encodable:dateEncodingStrategy:)``.
    public mutating func setJSONBody<T: Encodable>(
        _ encodable: T, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .rfc3339
    ) throws {
        try setJSONBody(encodable: encodable, dateEncodingStrategy: dateEncodingStrategy)
    }

    /// Sets the body to the one of a current request, and the Content-Type to `application/json` if there is none yet.
    private mutating func setJSONBody(by change: (inout PiuPiu.BasicRequest) throws -> Void) throws {
        var request = PiuPiu.BasicRequest(method: method, path: path)
        try change(&request)
        httpBody = request.httpBody
        ensureJSONContentType()
    }
}
