/// The measurements of one hop of an exchange: the time of its steps, and the bytes on the wire.
///
/// ```swift
/// let response = try await dispatcher.dataFuture(from: request).value
/// if let metrics = response.metrics {
///     log("first byte after \(metrics.firstByte ?? .zero), all after \(metrics.total)")
/// }
/// ```
///
/// A redirect is a separate hop: its metrics are in ``TransferRedirect/metrics``. If the engine measures nothing, the
/// dispatcher measures ``firstByte``, ``total`` and the bytes of the bodies, and the others are `nil`.
public struct TransferMetrics: Sendable, Hashable {
    /// The time of the look-up of the host's name; `nil` on a reused connection, or if unknown.
    public var nameLookup: Duration?

    /// The time to connect, after the look-up; `nil` on a reused connection, or if unknown.
    public var connect: Duration?

    /// The time of the TLS handshake, after connecting; `nil` on a reused connection, without TLS, or if unknown.
    public var secureConnection: Duration?

    /// The time from the start of the hop to the first byte of the response.
    public var firstByte: Duration?

    /// The time from the start of the hop to the end of the response. The wait for its turn doesn't count.
    public var total: Duration

    /// The bytes of the request that were sent: head and body, or only the body if the dispatcher measures.
    public var bytesSent: Int64

    /// The bytes of the response that have arrived: head and body on the wire, or only the decoded body if the
    /// dispatcher measures.
    public var bytesReceived: Int64

    /// The version of HTTP, "HTTP/1.1" or "HTTP/2", if known.
    public var protocolVersion: String?

    /// Whether the connection was reused; `nil` if unknown.
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
