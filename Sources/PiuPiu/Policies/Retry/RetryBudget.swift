public import Foundation

/// How many retries there may be, for each origin (scheme, host and port): what keeps them from burying a server that is in
/// trouble.
///
/// Each origin has 500 tokens. A retry costs 14, or 5 after a 429, and when there are too few the outcome is delivered at
/// once. An exchange that succeeds gives back what its last retry cost, or 1 if there was none; there are never more than
/// 500. So a server that fails everything is sent no more than 35 retries, or 100 where it answers 429, however
/// many requests there are, and one that fails now and then is sent as many as are wanted.
///
/// A `Sendable` value whose copies share the tokens, as do all futures of a ``RetryPolicy`` and its copies. Give several
/// policies the same budget where they talk to the same servers.
///
/// Source: the standard retry mode of the AWS SDKs.
public struct RetryBudget: Sendable {
    /// The origins that have not got all their tokens.
    private let origins = Locked<[String: RetryTokens]>([:])

    /// Makes a budget of which nothing is used up.
    public init() {}

    /// How many tokens are left for the origin of a URL.
    public func tokens(for url: URL) -> Int {
        let origin = url.origin
        return (origins.withLock { $0[origin] } ?? RetryTokens()).count
    }

    /// Takes out the cost of a retry; `false`, and nothing is taken, if there is less.
    package func take(_ cost: Int, for url: URL?) -> Bool {
        let origin = url?.origin ?? ""
        return origins.withLock { origins in
            var tokens = origins[origin] ?? RetryTokens()
            defer { origins[origin] = tokens.isFull ? nil : tokens }
            return tokens.take(cost)
        }
    }

    /// Puts back what an exchange that has succeeded gives.
    package func give(_ tokens: Int, for url: URL) {
        // Mostly there is no origin in trouble at all, and nothing to be made of the URL.
        guard origins.withLock({ !$0.isEmpty }) else { return }
        let origin = url.origin
        origins.withLock { origins in
            guard var left = origins[origin] else { return }
            left.give(tokens)
            origins[origin] = left.isFull ? nil : left
        }
    }
}

extension RetryBudget: CustomStringConvertible, CustomReflectable {
    /// The origins with fewer tokens than there may be: "RetryBudget(https://example.com:443: 486)".
    public var description: String {
        let origins = origins.withLock { $0 }.sorted { $0.key < $1.key }
        return "RetryBudget(\(origins.map { "\($0.key): \($0.value.count)" }.joined(separator: ", ")))"
    }

    /// Nothing but what the description tells.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
