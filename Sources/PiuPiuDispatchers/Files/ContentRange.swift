/// A `Content-Range` of bytes (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// The length of the whole; `nil` if the server doesn't know it.
    let total: Int64?

    /// Reads a value; `nil` if it is malformed, inverted, or beyond its total.
    init?(_ text: String) {
        guard let match = text.lowercased().wholeMatch(of: /bytes\s+(\d+)-(\d+)\/(\d+|\*)/),
            let first = Int64(match.1), let last = Int64(match.2), first <= last, last < .max
        else { return nil }
        (self.first, self.last) = (first, last)
        guard match.3 != "*" else {
            total = nil
            return
        }
        guard let total = Int64(match.3), last < total else { return nil }
        self.total = total
    }

    /// The number of bytes.
    var count: Int64 { last - first + 1 }

    /// Whether it is the whole.
    var isWhole: Bool { first == 0 && count == total }

    /// Whether this may answer a `Range`; several ranges, and ranges from the end, are not checked.
    func answers(_ wanted: String) -> Bool {
        guard let match = wanted.lowercased().wholeMatch(of: /bytes=(\d+)-(\d*)/), let first = Int64(match.1) else {
            return true
        }
        return self.first == first && (Int64(match.2).map { last <= $0 } ?? true)
    }
}
