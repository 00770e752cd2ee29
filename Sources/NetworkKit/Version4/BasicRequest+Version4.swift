public import Foundation

/// The names that 4.3 to 5.2 had for `setJSONBody`.
extension BasicRequest {
    /// Sets the body to the JSON of a value, and the Content-Type to `application/json` if there is none yet.
    @available(*, deprecated, renamed: "setJSONBody(encodable:dateEncodingStrategy:)")
    public mutating func setHTTPBody<T: Encodable>(
        encodable: T, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .rfc3339
    ) throws {
        try setJSONBody(encodable: encodable, dateEncodingStrategy: dateEncodingStrategy)
    }

    /// Sets the body to the JSON of a value, and the Content-Type to `application/json` if there is none yet.
    @available(*, deprecated, renamed: "setJSONBody(_:dateEncodingStrategy:)")
    public mutating func setHTTPBody<T: Encodable>(
        _ encodable: T, dateEncodingStrategy: JSONEncoder.DateEncodingStrategy = .rfc3339
    ) throws {
        try setJSONBody(encodable, dateEncodingStrategy: dateEncodingStrategy)
    }
}
