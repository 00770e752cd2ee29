/// The request fields that selected a response (RFC 9110, section 12.5.5).
package struct VaryField: Sendable, Hashable {
    /// Their names in lower case, sorted and without duplicates; `*` isn't among them.
    package let names: [String]

    /// Whether there is a `*`: then no other request matches (RFC 9111, section 4.1).
    package let isStar: Bool

    /// Parses the lines of `Vary` as one list.
    package init(_ fieldLines: [String]) {
        let members = Set(FieldList.members(of: fieldLines).map(\.loweredText))
        isStar = members.contains("*")
        names = members.subtracting(["*"]).sorted()
    }
}
