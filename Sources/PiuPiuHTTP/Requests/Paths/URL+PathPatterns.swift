public import Foundation

extension URL {
    /// The values of the path's segments, if the path matches a pattern.
    ///
    /// ```swift
    /// // https://example.com/users/7/posts?page=2
    /// url.pathValues(matching: ["users", .wildcard(type: .integer), "posts"])
    /// // [.string("users"), .integer(7), .string("posts")]
    /// ```
    ///
    /// The path must have as many segments as the pattern. Empty segments don't count, so slashes at the start, at the
    /// end and in a row make no difference. Neither do the query and the fragment. Each segment is percent-decoded by
    /// itself, then compared: `%2F` is a slash in a segment, and not the end of it.
    ///
    /// - Returns: one value for each component of the pattern, including constants; `nil` if the path doesn't match.
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

    /// The number at the place of an integer wildcard in a pattern.
    ///
    /// ```swift
    /// url.integerValue(atIndex: 1, matching: ["users", .wildcard(type: .integer)])
    /// ```
    ///
    /// - Parameters:
    ///   - index: the place in the pattern, from 0; constants count.
    ///   - pattern: the pattern of the path.
    /// - Returns: `nil` if the path doesn't match, if the pattern has no such place, or if no integer wildcard is
    ///   there.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        value(atIndex: index, matching: pattern)?.integerValue
    }

    /// The text at the place of a string wildcard or a constant in a pattern.
    ///
    /// - Parameters:
    ///   - index: the place in the pattern, from 0; constants count.
    ///   - pattern: the pattern of the path.
    /// - Returns: `nil` if the path doesn't match, if the pattern has no such place, or if an integer wildcard is
    ///   there.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        value(atIndex: index, matching: pattern)?.stringValue
    }

    private func value(atIndex index: Int, matching pattern: [PathComponent]) -> PathValue? {
        guard pattern.indices.contains(index) else { return nil }
        return pathValues(matching: pattern)?[index]
    }

    /// The segments of the path that aren't empty, each percent-decoded by itself. A segment whose decoded bytes are no
    /// UTF-8 stays encoded.
    package var pathSegments: [String] {
        absoluteURL.path(percentEncoded: true).split(separator: "/").map { segment in
            segment.removingPercentEncoding ?? String(segment)
        }
    }
}
