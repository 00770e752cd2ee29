public import Foundation

extension URL {
    /// What the segments of the path hold, if it matches a pattern.
    ///
    /// ```swift
    /// // https://example.com/users/7/posts?page=2
    /// url.pathValues(matching: ["users", .wildcard(type: .integer), "posts"])
    /// // [.string("users"), .integer(7), .string("posts")]
    /// ```
    ///
    /// The path must have as many segments as the pattern. Empty segments don't count, so slashes at the start, at the
    /// end and in a row make no difference; neither do the query and the fragment. Each segment is compared with its
    /// percent-encoding undone, one by one: `%2F` is a slash in a segment, and not the end of it.
    ///
    /// - Returns: one value for each component of the pattern, the constants included; `nil` if the path doesn't match.
    public func pathValues(matching pattern: [PathComponent]) -> [PathValue]? {
        let segments = pathSegments
        guard segments.count == pattern.count else { return nil }
        var values: [PathValue] = []
        values.reserveCapacity(segments.count)
        for (component, segment) in zip(pattern, segments) {
            guard let value = component.value(of: segment) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Whether the path matches a pattern: see `pathValues(matching:)`.
    public func pathMatches(pattern: [PathComponent]) -> Bool {
        pathValues(matching: pattern) != nil
    }

    /// The number that an integer wildcard of a pattern stands for.
    ///
    /// ```swift
    /// url.integerValue(atIndex: 1, matching: ["users", .wildcard(type: .integer)])
    /// ```
    ///
    /// - Parameters:
    ///   - index: the place in the pattern, from 0, constants counted.
    ///   - pattern: what the path has to match.
    /// - Returns: `nil` if the path doesn't match, if there is no such place in the pattern, and if another thing than an
    ///   integer wildcard is there.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        value(atIndex: index, matching: pattern)?.integerValue
    }

    /// The text that a string wildcard of a pattern stands for, or that of a constant.
    ///
    /// - Parameters:
    ///   - index: the place in the pattern, from 0, constants counted.
    ///   - pattern: what the path has to match.
    /// - Returns: `nil` if the path doesn't match, if there is no such place in the pattern, and if an integer wildcard is
    ///   there.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        value(atIndex: index, matching: pattern)?.stringValue
    }

    private func value(atIndex index: Int, matching pattern: [PathComponent]) -> PathValue? {
        guard pattern.indices.contains(index) else { return nil }
        return pathValues(matching: pattern)?[index]
    }

    /// The segments of the path that aren't empty, percent-encoding undone in each by itself. One whose encoded bytes are
    /// no UTF-8 stays as it is written.
    package var pathSegments: [String] {
        absoluteURL.path(percentEncoded: true).split(separator: "/").map { segment in
            segment.removingPercentEncoding ?? String(segment)
        }
    }
}
