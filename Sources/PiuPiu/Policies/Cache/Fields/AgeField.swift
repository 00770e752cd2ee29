/// The `Age` of a response (RFC 9111, section 5.1).
package enum AgeField {
    /// The seconds, of which 2³¹ stand for all that is more.
    ///
    /// Of several members, in a line or in more, the first counts. `nil` if there is none, or if it isn't digits only.
    package static func age(_ fieldLines: [String]) -> Int? {
        FieldList.members(of: fieldLines).first.flatMap { FieldList.seconds($0) }
    }
}
