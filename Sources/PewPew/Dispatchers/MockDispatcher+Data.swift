public import Foundation
import PiuPiu

extension MockDispatcher {
    /// Sets the body to the JSON of a value, with dates in the form of RFC 3339.
    public func setMockData<T: Encodable>(encodable: T) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .rfc3339
        mockData = try encoder.encode(encodable)
    }

    /// Sets the body to the JSON of a value: the same as ``setMockData(encodable:)``.
    public func setMockData<T: Encodable>(_ encodable: T) throws {
        try setMockData(encodable: encodable)
    }

    /// Sets the body to a JSON object; a `nil` becomes the JSON `null`.
    ///
    /// - Throws: `PiuPiu.RequestBodyError` if the object holds a value that JSON can't express.
    public func setMockData(jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []) throws {
        var request = BasicRequest(method: .post, path: "")
        try request.setJSONBody(jsonObject: jsonObject, options: options)
        mockData = request.httpBody
    }

    /// Sets the body to a text of JSON, or to `nil` if the encoding lacks a character of it.
    public func setMockData(jsonString: String, encoding: String.Encoding = .utf8) {
        mockData = jsonString.encoded(in: encoding)
    }
}
