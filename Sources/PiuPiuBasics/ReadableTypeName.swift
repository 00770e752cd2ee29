/// A standard type whose name is written with brackets or a question mark.
private protocol SugaredType {
    static var sugaredName: String { get }
}

extension Array: SugaredType {
    fileprivate static var sugaredName: String { "[\(readableName(of: Element.self))]" }
}

extension Dictionary: SugaredType {
    fileprivate static var sugaredName: String { "[\(readableName(of: Key.self)): \(readableName(of: Value.self))]" }
}

extension Optional: SugaredType {
    fileprivate static var sugaredName: String { "\(readableName(of: Wrapped.self))?" }
}

/// The name of a type as in source code, `[Post]` rather than `Array<Post>`, for the texts of errors.
package func readableName(of type: Any.Type) -> String {
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName }
    return String(describing: type)
}
