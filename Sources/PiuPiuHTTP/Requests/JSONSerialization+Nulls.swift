import Foundation

extension JSONSerialization {
    /// The value with `NSNull` for each `nil`, at any depth.
    ///
    /// Foundation on Linux finds a `nil` in a box, such as `nick as Any`, only where the values aren't optional.
    static func withNulls(_ value: Any?) -> Any {
        guard let value else { return NSNull() }
        if let object = value as? [String: Any?] { return object.mapValues(withNulls) }
        if let array = value as? [Any?] { return array.map(withNulls) }
        return value
    }
}
