#if canImport(Darwin)
    import Foundation

    extension TransferMetrics {
        /// A session's measurements of a task; `nil` if it has sent nothing.
        init?(_ metrics: URLSessionTaskMetrics) {
            guard let hop = metrics.transactionMetrics.last, let start = hop.fetchStartDate else { return nil }
            func duration(_ start: Date?, _ end: Date?) -> Duration? {
                guard let start, let end else { return nil }
                return .seconds(end.timeIntervalSince(start))
            }
            self.init(
                nameLookup: duration(hop.domainLookupStartDate, hop.domainLookupEndDate),
                connect: duration(hop.connectStartDate, hop.secureConnectionStartDate ?? hop.connectEndDate),
                secureConnection: duration(hop.secureConnectionStartDate, hop.secureConnectionEndDate),
                firstByte: duration(start, hop.responseStartDate),
                total: duration(start, hop.responseEndDate) ?? .seconds(metrics.taskInterval.duration),
                bytesSent: hop.countOfRequestHeaderBytesSent + hop.countOfRequestBodyBytesSent,
                bytesReceived: hop.countOfResponseHeaderBytesReceived + hop.countOfResponseBodyBytesReceived,
                protocolVersion: hop.networkProtocolName.map(Self.version),
                isReusedConnection: hop.isReusedConnection)
        }

        /// The version of HTTP for an ALPN name (RFC 7301).
        private static func version(_ name: String) -> String {
            switch name {
            case "h2": "HTTP/2"
            case "h3": "HTTP/3"
            default: name.uppercased()
            }
        }
    }
#endif
