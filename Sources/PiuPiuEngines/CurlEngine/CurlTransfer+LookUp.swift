#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    extension CurlTransfer {
        /// libcurl is about to look up the host. Returns whether it may do so now; otherwise the transfer fails.
        func beginLookUp() -> Bool {
            guard connecting.mayLookUp(for: self, mayHaveProxy: setup.mayHaveProxy(for: url)) else { return false }
            if let pointer { piu_transfer_begin_look_up(pointer) }
            return true
        }

        /// Whether libcurl looks up its host, or its proxy, for a new connection. libcurl's times don't tell: a request
        /// that joins a connection in use has none.
        var isInLookUp: Bool { pointer.map { piu_transfer_looks_up($0) } ?? false }

        /// Whether freeing it, while libcurl carries it out, would wait for a name server.
        var isResolving: Bool { !Self.hasQuickExit && isInLookUp }

        /// Makes it fail as soon as the name of its host is known.
        func abandon() {
            if let pointer { piu_transfer_abandon(pointer) }
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
