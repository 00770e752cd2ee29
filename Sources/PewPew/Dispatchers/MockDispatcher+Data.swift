public import Foundation
import PiuPiu

extension MockDispatcher {
    /// Sets the body to the JSON of a value, with dates as RFC 3339 writes them.
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
    /// - Throws: `PiuPiu.RequestBodyError` if the object holds what JSON can't express.
    public func setMockData(jsonObject: [String: Any?], options: JSONSerialization.WritingOptions = []) throws {
        var request = BasicRequest(method: .post, path: "")
        try request.setJSONBody(jsonObject: jsonObject, options: options)
        mockData = request.httpBody
    }

    /// Sets the body to JSON that is there as a text; to nothing if the encoding lacks a character of the text.
    public func setMockData(jsonString: String, encoding: String.Encoding = .utf8) {
        mockData = jsonString.data(using: encoding)
    }
}
