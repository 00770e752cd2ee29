#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    extension TransferMetrics {
        /// libcurl's measurements of a transfer that is over.
        ///
        /// Its times count from the start of the transfer. The times of connecting mean nothing on a reused connection.
        init(of transfer: OpaquePointer, version: String) {
            func number(_ info: CurlInfo) -> Int64 { piu_transfer_number(transfer, info.rawValue) }
            func time(_ info: CurlInfo) -> Duration { .microseconds(number(info)) }
            let firstByte = time(.firstByteTime)
            // From 8.7 on the size of a request includes its body.
            let headOrRequest = number(.requestSize), body = number(.uploadSize)
            self.init(
                firstByte: firstByte > .zero ? firstByte : nil, total: time(.totalTime),
                bytesSent: piu_version() < 0x080700 ? headOrRequest + body : headOrRequest,
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
