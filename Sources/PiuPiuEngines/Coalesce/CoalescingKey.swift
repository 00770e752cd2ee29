import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The key that requests must share to become one exchange (rule KEY).
struct CoalescingKey: Hashable, Sendable {
    private let method: String
    private let url: URL
    private let headers: [String: String]
    private let cachePolicy: UInt
    private let networkDemands: [Bool]
    /// The number of a hedged copy: a second copy that joined the first would be just as late.
    private let copy: Int

    /// `nil` for a request that is never shared: one that isn't a GET or a HEAD, that has a body, or whose response is
    /// a stream or goes to a file (rule NOT). Nor is a request of a credential refresh, which must not wait with
    /// others.
    init?(_ request: TransferRequest) {
        let urlRequest = request.urlRequest
        let method = urlRequest.httpMethod ?? "GET"
        guard method == "GET" || method == "HEAD", let url = urlRequest.url, request.body.isEmpty,
            !request.expectsLargeResponse, !request.isStream, !request.isOfCredentialRefresh
        else { return nil }
        self.method = method
        self.url = url
        // Names are case-insensitive (RFC 9110, section 5.1).
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
        headers = Dictionary(fields) { "\($0), \($1)" }
        cachePolicy = urlRequest.cachePolicy.rawValue
        networkDemands = urlRequest.networkDemands
        copy = request.copy
    }
}

extension URLRequest {
    /// Whether it may use a cellular network, an expensive one and a constrained one, and whether it wants names that
    /// are validated.
    fileprivate var networkDemands: [Bool] {
        #if canImport(FoundationNetworking)
            [allowsCellularAccess]
        #else
            [
                allowsCellularAccess, allowsExpensiveNetworkAccess, allowsConstrainedNetworkAccess,
                requiresDNSSECValidation,
            ]
        #endif
    }
}
