/// The type of a wildcard in a path pattern.
public enum WildcardType: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// A whole number that fits into an `Int`, such as `42` or `-1`.
    case integer
    /// Any segment.
    case string

    /// `:integer` or `:string`.
    public var description: String {
        switch self {
        case .integer: ":integer"
        case .string: ":string"
        }
    }
}
