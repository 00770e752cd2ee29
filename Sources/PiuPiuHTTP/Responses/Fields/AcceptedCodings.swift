/// The content codings that a request accepts (RFC 9110, section 12.5.3).
package struct AcceptedCodings {
    /// Whether each named coding is accepted; "*" stands for all others.
    private var named: [String: Bool] = [:]

    /// Parses the value of `Accept-Encoding`. Of duplicates the first counts.
    package init(_ field: String) {
        for member in FieldList.members(of: [field]) {
            let parts = member.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map(\.withoutFieldSpace)
            guard let name = parts.first.map({ Self.name($0.loweredText) }), named[name] == nil else { continue }
            named[name] = !parts.dropFirst().contains(where: Self.isZero)
        }
    }

    /// Whether a coding is accepted; its name is in lower case.
    package func contains(_ coding: String) -> Bool { named[Self.name(coding)] ?? named["*"] ?? false }

    /// The older names are equivalent (RFC 9110, sections 8.4.1.1 and 8.4.1.3).
    private static func name(_ coding: String) -> String {
        coding == "x-gzip" || coding == "x-compress" ? String(coding.dropFirst(2)) : coding
    }

    /// Whether a parameter is a weight of zero: "q=0", with any zeros after a point.
    private static func isZero(_ parameter: ArraySlice<UInt8>) -> Bool {
        let sides = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1).map(\.withoutFieldSpace.loweredText)
        guard sides.count == 2, sides[0] == "q", sides[1].hasPrefix("0") else { return false }
        return sides[1].allSatisfy { $0 == "0" || $0 == "." }
    }
}
