// Written out, because the synthesised equality would make `.other(404)` and `.notFound` different.
extension StatusCode: Hashable {
    /// Whether two status codes have the same number.
    public static func == (left: StatusCode, right: StatusCode) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Feeds the number, so that equal codes have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}
