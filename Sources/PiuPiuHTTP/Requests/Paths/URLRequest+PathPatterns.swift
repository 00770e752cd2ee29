#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The path patterns of `URL`, for the URL of a request; a request without a URL matches none.
extension URLRequest {
    /// The values of the segments of the URL's path, if it matches a pattern: see `URL.pathValues(matching:)`.
    ///
    /// - Returns: one value for each component of the pattern, including constants; `nil` if the path doesn't match.
    public func pathValues(matching pattern: [PathComponent]) -> [PathValue]? {
        url?.pathValues(matching: pattern)
    }

    /// Whether the URL's path matches a pattern.
    public func pathMatches(pattern: [PathComponent]) -> Bool {
        url?.pathMatches(pattern: pattern) ?? false
    }

    /// The number at the place of an integer wildcard in a pattern; `nil` if the pattern doesn't match, or if no
    /// integer wildcard is at the index.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        url?.integerValue(atIndex: index, matching: pattern)
    }

    /// The text at the place of a string wildcard or a constant in a pattern; `nil` if the pattern doesn't match, or if
    /// neither is at the index.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        url?.stringValue(atIndex: index, matching: pattern)
    }
}
