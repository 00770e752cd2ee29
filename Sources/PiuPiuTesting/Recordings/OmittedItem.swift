/// An item of a query or a form whose value was left out. Of several with one name it may be one, whose value is a URL
/// with a secret.
package struct OmittedItem: Sendable, Hashable {
    private let name: String
    /// How many items with this name come before it.
    private let number: Int

    /// The next item with this name.
    ///
    /// - Parameter counts: how many there were with each name.
    init(_ name: String, _ counts: inout [String: Int]) {
        self.name = name
        number = counts[name, default: 0]
        counts[name] = number + 1
    }
}
