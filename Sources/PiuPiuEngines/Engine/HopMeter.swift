/// Measures one hop, for engines that don't.
struct HopMeter: Sendable {
    private let start: UInt64
    private var firstByte: UInt64?
    private var version: String?
    private var sent: Int64 = 0
    private var received: Int64 = 0
    private var isMeasured = false

    /// - Parameter start: the start of the hop, in nanoseconds.
    init(start: UInt64) {
        self.start = start
    }

    /// Whether nothing was sent of the request's body, as far as is known, nor received.
    var isSilent: Bool { firstByte == nil && sent == 0 }

    /// Counts an event of the hop. Returns how many more bytes of the request's body are sent.
    mutating func count(_ event: TransferEvent, at now: UInt64) -> Int64 {
        let sentBefore = sent
        switch event {
        case .sent(let bytes, _): sent = max(sent, bytes)
        case .head(let head, _):
            if firstByte == nil { firstByte = now }
            version = head.version
        case .body(let chunk): received += Int64(chunk.count)
        case .measured: isMeasured = true
        case .finished, .failed: break
        }
        return sent - sentBefore
    }

    /// The version of HTTP that an event shows after a head that didn't, as one of Foundation; `nil` if it shows none.
    func version(shownBy event: TransferEvent) -> String? {
        guard version == nil, case .measured(let metrics) = event else { return nil }
        return metrics.protocolVersion
    }

    /// The measurements until now; `nil` if the engine has already reported its own.
    func metrics(at now: UInt64) -> TransferMetrics? {
        guard !isMeasured else { return nil }
        return TransferMetrics(
            firstByte: firstByte.map(duration), total: duration(now), bytesSent: sent, bytesReceived: received,
            protocolVersion: version)
    }

    private func duration(_ instant: UInt64) -> Duration { .nanoseconds(instant > start ? instant - start : 0) }
}
