#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    extension CurlTransfer {
        /// Whether libcurl may look up the host now; otherwise the transfer fails.
        var mayLookUp: Bool { connecting.mayLookUp(for: self, mayHaveProxy: setup.mayHaveProxy(for: url)) }

        /// Whether the address of its host isn't known yet.
        var isInLookUp: Bool {
            pointer.map { piu_transfer_number($0, CurlInfo.nameLookUpTime.rawValue) == 0 } ?? false
        }

        /// Whether a part of it may have been sent: then it can't begin again.
        var wasSent: Bool { pointer.map { piu_transfer_was_sent($0) } ?? false }

        /// Whether it has failed because the system had no thread or no descriptor to look up its host, or its proxy.
        func hasFoundNoThread(_ result: Int32) -> Bool {
            guard result == CurlCode.hostNotFound.rawValue || result == CurlCode.proxyNotFound.rawValue,
                let pointer, !wasSent
            else { return false }
            return String(cString: piu_transfer_message(pointer)).contains("thread failed to start")
        }
    }
#endif
