/// The `Age` of a response (RFC 9111, section 5.1).
package enum AgeField {
    /// The seconds, at most 2³¹.
    ///
    /// Of several members, in one or more lines, the first counts. `nil` if there is none, or if it isn't only digits.
    package static func age(_ fieldLines: [String]) -> Int? {
        FieldList.members(of: fieldLines).first.flatMap { FieldList.seconds($0) }
    }
}
