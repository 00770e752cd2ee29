/// What was measured of one hop of an exchange: how long its steps took, and what went over the wire.
///
/// ```swift
/// let response = try await dispatcher.dataFuture(from: request).value
/// if let metrics = response.metrics { log("first byte after \(metrics.firstByte ?? .zero), all after \(metrics.total)") }
/// ```
///
/// A redirect is a hop of its own: its metrics are in ``TransferRedirect/metrics``. Where the engine measures nothing,
/// ``firstByte``, ``total`` and the bytes of the bodies are the dispatcher's own, and the others are `nil`.
public struct TransferMetrics: Sendable, Hashable {
    /// How long the look-up of the host's name took; `nil` where a connection that was there was used, or it isn't known.
    public var nameLookup: Duration?

    /// How long it took to connect, once the name was known; `nil` as above.
    public var connect: Duration?

    /// How long the handshake of TLS took, once connected; `nil` as above, and without TLS.
    public var secureConnection: Duration?

    /// When the first byte of the response came, from the start of the hop.
    public var firstByte: Duration?

    /// When the response was complete, from the start of the hop. It doesn't count how long a request had to wait for its
    /// turn.
    public var total: Duration

    /// The bytes of the request that were sent: head and body, or the body alone where the dispatcher measures.
    public var bytesSent: Int64

    /// The bytes of the response that have arrived: head and body, as they came over the wire, or the body alone, with its
    /// coding undone, where the dispatcher measures.
    public var bytesReceived: Int64

    /// The version of HTTP, "HTTP/1.1" or "HTTP/2", where it is known.
    public var protocolVersion: String?

    /// Whether the connection was there before; `nil` where it isn't known.
    public var isReusedConnection: Bool?

    /// Makes metrics, for an engine to report with ``TransferEvent/measured(_:)``.
    public init(
        nameLookup: Duration? = nil, connect: Duration? = nil, secureConnection: Duration? = nil,
        firstByte: Duration? = nil, total: Duration, bytesSent: Int64, bytesReceived: Int64,
        protocolVersion: String? = nil, isReusedConnection: Bool? = nil
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.secureConnection = secureConnection
        self.firstByte = firstByte
        self.total = total
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.protocolVersion = protocolVersion
        self.isReusedConnection = isReusedConnection
    }
}
