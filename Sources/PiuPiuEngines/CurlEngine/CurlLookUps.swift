#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    /// The look-ups of hosts for which a request waits. For each of them libcurl takes a thread and some descriptors, and
    /// has no limit of its own. One that is given up goes on unseen, and isn't counted: new requests needn't wait for
    /// names that nobody wants. Only on the thread of a loop.
    struct CurlLookUps {
        /// More at a time are of little use.
        private static let usualLimit = 64
        /// A pair of sockets for the thread.
        private static let descriptorsAtStart = 2
        /// What the system opens afterwards: files, and a socket to a name server.
        private static let descriptorsLater = 2

        private var running: [CurlTransfer] = []

        /// How many more may begin.
        mutating func places() -> Int {
            running.removeAll { !$0.isInLookUp }
            let limit = max(1, min(Self.usualLimit, SystemCall.descriptorLimit / 8))
            return max(0, limit - running.count)
        }

        /// Whether there are descriptors for another one, beside those that the running ones may still take.
        var hasDescriptors: Bool {
            let later = (running.count + 1) * Self.descriptorsLater
            return piu_has_descriptors(Int32(Self.descriptorsAtStart + later))
        }

        mutating func begin(for transfer: CurlTransfer) {
            if !running.contains(where: { $0 === transfer }) { running.append(transfer) }
        }

        mutating func end(for transfer: CurlTransfer) {
            if !running.isEmpty { running.removeAll { $0 === transfer } }
        }
    }
#endif
