import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which exchanges of an engine wait for each other, and how many don't have to.
struct SlotRules: Sendable {
    var total = Int.max
    var perHost = Int.max
    var maximumWaiting = Int.max
    /// How many there may be with a host that carries many over one connection, where that is another number.
    var perMultiplexedHost: Int?

    /// Where an exchange waits; `nil` for one that doesn't.
    let line: @Sendable (TransferRequest) -> String?

    /// Those of ``TransferEngine/limited(to:perHost:maximumWaiting:)``.
    static func limit(to total: Int, perHost: Int, maximumWaiting: Int) -> SlotRules {
        SlotRules(total: total, perHost: perHost, maximumWaiting: maximumWaiting) { $0.urlRequest.url?.origin ?? "" }
    }

    /// Those of a dispatcher, for an engine below something that has to see requests before they wait. Streams wait above, as
    /// there they don't wait for ever.
    static func settings(_ settings: TransferSettings) -> SlotRules {
        SlotRules(
            perHost: settings.exchangesPerOrigin, perMultiplexedHost: settings.exchangesPerMultiplexedOrigin
        ) { request in
            guard !request.isStream, let origin = request.urlRequest.url?.origin else { return nil }
            return large(origin, request.expectsLargeResponse)
        }
    }

    private static func large(_ origin: String, _ isLarge: Bool) -> String { isLarge ? "large \(origin)" : origin }

    /// The lines of a host that carries many exchanges over one connection.
    func lines(of url: URL?) -> [String] {
        guard perMultiplexedHost != nil, let origin = url?.origin else { return [] }
        return [false, true].map { Self.large(origin, $0) }
    }
}
