public import Foundation

/// Limits the retries to each origin (scheme, host and port), so that they don't overload a failing server.
///
/// Each origin has 500 tokens. A retry costs 14, or 5 after a 429. When too few are left, the outcome is delivered at
/// once. A successful exchange gives back the cost of its last retry, or 1 if there was none, up to the limit of 500
/// tokens. A retry that is cancelled during its back-off costs nothing. So a server that fails every request gets at most
/// 35 retries, or 100 if it answers 429, however many requests there are. A server that fails occasionally gets as many
/// as are wanted. The thousand most recently used origins with missing tokens are remembered.
///
/// It counts retries, not what reaches a server: each of the callers that share an exchange by `coalescing()` pays for
/// its own, and so does one that was refused with a ``LineFullError`` or a ``CircuitOpenError``.
///
/// A `Sendable` value; copies share the tokens, as do all futures of a ``RetryPolicy`` and its copies. Share one budget
/// between policies for the same servers.
///
/// Source: the standard retry mode of the AWS SDKs.
public struct RetryBudget: Sendable {
    private let origins = Locked(OriginTokens())

    /// Makes a full budget.
    public init() {}

    /// How many tokens are left for the origin of a URL.
    public func tokens(for url: URL) -> Int {
        let origin = url.origin
        return origins.withLock { $0[origin].count }
    }

    /// Whether both have the same tokens.
    func isShared(with other: RetryBudget?) -> Bool { other.map { origins.isSame(as: $0.origins) } ?? false }

    /// Takes the cost of a retry; `false`, and nothing is taken, if too few tokens are left.
    package func take(_ cost: Int, for url: URL?) -> Bool {
        let origin = url?.origin ?? ""
        return origins.withLock { $0[origin].take(cost) }
    }

    /// Gives back the tokens of a successful exchange, or of a retry that is never sent.
    package func give(_ tokens: Int, for url: @autoclosure () -> URL?) {
        // Usually no origin has spent tokens, and the URL needs no parsing.
        guard origins.withLock({ !$0.tokens.isEmpty }), let url = url() else { return }
        let origin = url.origin
        origins.withLock { $0[origin].give(tokens) }
    }
}

extension RetryBudget: CustomStringConvertible, CustomReflectable {
    /// The origins that have spent tokens: "RetryBudget(https://example.com:443: 486)".
    public var description: String {
        let origins = origins.withLock { $0.tokens }.sorted { $0.key < $1.key }
        return "RetryBudget(\(origins.map { "\($0.key): \($0.value.count)" }.joined(separator: ", ")))"
    }

    /// Only what the description shows.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
