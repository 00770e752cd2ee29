import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which exchanges of an engine share a queue, and how many may run at once.
struct SlotRules: Sendable {
    var total = Int.max
    var perHost = Int.max
    var maximumWaiting = Int.max
    /// The limit for small responses of a host that multiplexes exchanges over one connection, if it differs.
    var perMultiplexedHost: Int?

    /// The queue of an exchange; `nil` for one that never waits.
    let line: @Sendable (TransferRequest) -> String?

    /// The rules of ``TransferEngine/limited(to:perHost:maximumWaiting:)``.
    static func limit(to total: Int, perHost: Int, maximumWaiting: Int) -> SlotRules {
        SlotRules(total: total, perHost: perHost, maximumWaiting: maximumWaiting) { $0.urlRequest.url?.origin ?? "" }
    }

    /// The rules of a dispatcher's settings, for an engine whose decorators must see requests before they wait. Streams
    /// wait above, where they don't wait for ever.
    static func settings(_ settings: TransferSettings) -> SlotRules {
        SlotRules(
            perHost: settings.exchangesPerOrigin, perMultiplexedHost: settings.exchangesPerMultiplexedOrigin
        ) { request in
            guard !request.isStream, let origin = request.urlRequest.url?.origin else { return nil }
            if request.expectsLargeResponse { return "large \(origin)" }
            return request.body.hasUnknownLength ? "unmeasured \(origin)" : origin
        }
    }
}
