/// What a `Range` header asks for (RFC 9110, section 14), of a body whose length is known.
enum ByteRangeRequest: Equatable {
    /// The header is malformed, has more than one range or a unit other than bytes. All such headers may be ignored.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Reads the value of a `Range`: `bytes=N-`, `bytes=N-M` or `bytes=-N`.
    init(_ header: String, length: Int) {
        self = .whole
        let unit = "bytes="
        guard header.prefix(unit.count).lowercased() == unit else { return }
        let ends = header.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
        // A number that is too large lies beyond the end of any body.
        let first = ends[0].isEmpty ? nil : Int(ends[0]) ?? .max
        let last = ends[1].isEmpty ? nil : Int(ends[1]) ?? .max
        let range: Range<Int>
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?): range = max(0, length - count)..<length
        case (let first?, nil): range = first..<max(first, length)
        case (let first?, let last?):
            guard first <= last else { return }
            range = first..<max(first, min(last, length - 1) + 1)
        }
        self = range.isEmpty ? .unsatisfiable : .part(range)
    }
}
