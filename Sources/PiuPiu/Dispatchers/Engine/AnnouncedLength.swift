import Foundation

/// The length of a body as a server has announced it (RFC 9110, section 8.6).
enum AnnouncedLength: Sendable, Equatable {
    case none
    case bytes(Int64)
    /// The length of a coded body: not of what arrives.
    case coded(Int64)
    /// None that can be counted, or several.
    case invalid

    init(_ values: [String], isCoded: Bool) {
        guard !values.isEmpty else {
            self = .none
            return
        }
        // The same, several times, is one (RFC 9110, section 8.6).
        let lengths = Set(
            values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { text -> Int64? in
                let digits = text.trimmingCharacters(in: .whitespaces)
                return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
            })
        guard lengths.count == 1, let length = lengths.first.flatMap({ $0 }) else {
            self = .invalid
            return
        }
        self = isCoded ? .coded(length) : .bytes(length)
    }

    var value: Int64? {
        switch self {
        case .bytes(let length), .coded(let length): length
        case .none, .invalid: nil
        }
    }
}
