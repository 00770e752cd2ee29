#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    extension TransferMetrics {
        /// Whether libcurl counts a body with the size of its request: from 8.7 on.
        private static let requestsIncludeBodies = piu_version() >= 0x080700

        /// libcurl's measurements of a transfer that is over.
        ///
        /// Its times count from the start of the transfer. The times of connecting mean nothing on a reused connection.
        init(of transfer: OpaquePointer, version: String) {
            func number(_ info: CurlInfo) -> Int64 { piu_transfer_number(transfer, info.rawValue) }
            func time(_ info: CurlInfo) -> Duration { .microseconds(number(info)) }
            let firstByte = time(.firstByteTime)
            let headOrRequest = number(.requestSize), body = number(.uploadSize)
            self.init(
                firstByte: firstByte > .zero ? firstByte : nil, total: time(.totalTime),
                bytesSent: Self.requestsIncludeBodies ? headOrRequest : headOrRequest + body,
                bytesReceived: number(.headerSize) + number(.downloadSize), protocolVersion: version,
                isReusedConnection: number(.newConnections) == 0)
            guard isReusedConnection == false else { return }
            let (resolved, connected, secured) = (
                time(.nameLookUpTime), time(.connectTime), time(.secureConnectionTime)
            )
            nameLookup = resolved
            connect = connected - resolved
            if secured > .zero { secureConnection = secured - connected }
        }
    }
#endif
