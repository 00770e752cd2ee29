/// A member of a ``StructuredList`` or a ``StructuredDictionary``: an item, or a list of items (RFC 9651, section 3.1).
public enum StructuredMember: Sendable, Hashable {
    /// One item: `a;b=1`.
    case item(StructuredItem)
    /// Some items with parameters of their own: `(a b);c=1`. It contains no other list, so nothing is nested deeper.
    case innerList([StructuredItem], parameters: StructuredParameters)

    /// The parameters of the item or of the inner list.
    public var parameters: StructuredParameters {
        switch self {
        case .item(let item): item.parameters
        case .innerList(_, let parameters): parameters
        }
    }
}
