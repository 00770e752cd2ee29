#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    extension TransferMetrics {
        /// What libcurl has measured of a transfer that is over.
        ///
        /// Its times count from the start of the transfer. Those of a connection that was there before mean nothing.
        init(of transfer: OpaquePointer, version: String) {
            func time(_ info: Int) -> Duration { .microseconds(piu_transfer_count(transfer, Int32(info))) }
            func size(_ long: Int, _ count: Int) -> Int64 {
                Int64(piu_transfer_number(transfer, Int32(long))) + piu_transfer_count(transfer, Int32(count))
            }
            let firstByte = time(PIU_STARTTRANSFER_TIME_T)
            self.init(
                firstByte: firstByte > .zero ? firstByte : nil, total: time(PIU_TOTAL_TIME_T),
                bytesSent: size(PIU_REQUEST_SIZE, PIU_SIZE_UPLOAD_T),
                bytesReceived: size(PIU_HEADER_SIZE, PIU_SIZE_DOWNLOAD_T), protocolVersion: version,
                isReusedConnection: piu_transfer_number(transfer, Int32(PIU_NUM_CONNECTS)) == 0)
            guard isReusedConnection == false else { return }
            let (resolved, connected) = (time(PIU_NAMELOOKUP_TIME_T), time(PIU_CONNECT_TIME_T))
            let secured = time(PIU_APPCONNECT_TIME_T)
            nameLookup = resolved
            connect = connected - resolved
            if secured > .zero { secureConnection = secured - connected }
        }
    }
#endif
