/// The progress of a transfer: bytes sent and received, and how many are expected.
///
/// ```swift
/// future.updated { update in
///     bar.progress = update.progress.fractionReceived ?? 0
/// }
/// ```
///
/// The package counts itself, because on Linux a `URLSessionTask` does not count the bytes of a data task. It counts
/// bytes of bodies, without headers; a compressed body is counted after decompression.
public struct TransferProgress: Sendable, Hashable {
    /// The number of body bytes sent so far.
    public var bytesSent: Int64

    /// The length of the request's body, or `nil` if it has none or its length is unknown.
    public var bytesExpectedToSend: Int64?

    /// The number of body bytes received so far.
    public var bytesReceived: Int64

    /// The announced length of the response's body, or `nil` while it is unknown.
    public var bytesExpectedToReceive: Int64?

    /// Makes a progress value; by default that of a transfer that has just started.
    public init(
        bytesSent: Int64 = 0, bytesExpectedToSend: Int64? = nil,
        bytesReceived: Int64 = 0, bytesExpectedToReceive: Int64? = nil
    ) {
        self.bytesSent = bytesSent
        self.bytesExpectedToSend = bytesExpectedToSend
        self.bytesReceived = bytesReceived
        self.bytesExpectedToReceive = bytesExpectedToReceive
    }

    /// The share of the request's body that has been sent, from 0 to 1; `nil` if the expected length is unknown or 0.
    public var fractionSent: Double? { Self.fraction(bytesSent, of: bytesExpectedToSend) }

    /// The share of the response's body that has arrived, from 0 to 1; `nil` while the expected length is unknown,
    /// and if it is 0.
    public var fractionReceived: Double? { Self.fraction(bytesReceived, of: bytesExpectedToReceive) }

    /// The mean of both shares, or the only one that isn't `nil`; `nil` if both are.
    public var fractionTransferred: Double? {
        switch (fractionSent, fractionReceived) {
        case (let sent?, let received?): (sent + received) / 2
        case (let sent?, nil): sent
        case (nil, let received?): received
        case (nil, nil): nil
        }
    }

    private static func fraction(_ count: Int64, of expected: Int64?) -> Double? {
        guard let expected, expected > 0 else { return nil }
        return min(1, max(0, Double(count) / Double(expected)))
    }
}
