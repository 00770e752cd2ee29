/// A key that the containers of a form make themselves.
enum FormKey: CodingKey {
    /// The place of an element.
    case index(Int)
    /// The value of a superclass.
    case `super`

    var stringValue: String {
        switch self {
        case .index(let index): "\(index)"
        case .super: "super"
        }
    }

    var intValue: Int? {
        switch self {
        case .index(let index): index
        case .super: nil
        }
    }

    init?(stringValue: String) { nil }

    init?(intValue: Int) { nil }
}
