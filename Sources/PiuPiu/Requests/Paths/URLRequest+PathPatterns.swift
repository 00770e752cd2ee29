#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The path patterns of `URL`, for the URL of a request; a request without a URL matches none.
extension URLRequest {
    /// What the segments of the URL's path hold, if it matches a pattern: see `URL.pathValues(matching:)`.
    ///
    /// - Returns: one value for each component of the pattern, the constants included; `nil` if the path doesn't match.
    public func pathValues(matching pattern: [PathComponent]) -> [PathValue]? {
        url?.pathValues(matching: pattern)
    }

    /// Whether the URL's path matches a pattern.
    public func pathMatches(pattern: [PathComponent]) -> Bool {
        url?.pathMatches(pattern: pattern) ?? false
    }

    /// The number that an integer wildcard of a pattern stands for; `nil` for a pattern that doesn't match, and an index
    /// where there is no integer wildcard.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        url?.integerValue(atIndex: index, matching: pattern)
    }

    /// The text that a string wildcard of a pattern stands for, or that of a constant; `nil` for a pattern that doesn't
    /// match, and an index where there is neither.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        url?.stringValue(atIndex: index, matching: pattern)
    }
}
