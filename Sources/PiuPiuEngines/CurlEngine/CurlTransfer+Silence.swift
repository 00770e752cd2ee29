#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    // libcurl goes on to use a connection of HTTP/2 on which nothing comes any more, as long as the system on the other side
    // confirms what is sent: a server may have stopped behind a proxy. Each retry would wait there in vain.

    extension CurlTransfer {
        /// Notes, before it is freed, that nobody waits for it any more: its connection may be such a one.
        func giveUp(hasTimedOut: Bool) {
            if let pointer { piu_transfer_give_up(pointer, hasTimedOut) }
        }

        /// Whether it was not sent because others have waited in vain on the connection.
        func hasFoundSilence(_ result: Int32) -> Bool {
            result == CurlCode.abortedByCallback.rawValue && failure == nil && !wasSent && (body?.offset ?? 0) == 0
        }

        /// Removes it from libcurl until it is sent on a connection of its own.
        func parkForNewConnection() {
            needsNewConnection = true
            park()
        }
    }
#endif
