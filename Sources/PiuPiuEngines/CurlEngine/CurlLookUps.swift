#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Dispatch

    /// The look-ups of hosts for which a request waits. For each of them libcurl takes a thread and some descriptors, and
    /// has no limit of its own. One that is given up goes on unseen, and takes no place: new requests needn't wait for
    /// names that nobody wants. Only on the thread of a loop.
    struct CurlLookUps {
        /// More at a time are of little use.
        private static let usualLimit = 64
        /// A pair of sockets for the thread.
        private static let descriptorsAtStart = 2
        /// What the system opens afterwards: files, and a socket to a name server.
        private static let descriptorsLater = 2

        /// The look-ups of all loops that may still open descriptors, also those that were given up.
        private struct Young: Sendable {
            /// When each began, in nanoseconds.
            var beginnings: [Int: UInt64] = [:]
            private var last = 0

            /// After a second the descriptors of a look-up are open, so they can be seen.
            mutating func forgetOlder(than now: UInt64) {
                guard !beginnings.isEmpty else { return }
                beginnings = beginnings.filter { now - min(now, $0.value) < 1_000_000_000 }
            }

            mutating func begin(at now: UInt64) -> Int {
                last += 1
                beginnings[last] = now
                return last
            }

            /// Whether there are descriptors for another one, beside those that these may still take.
            var hasDescriptors: Bool {
                piu_has_descriptors(Int32(descriptorsAtStart + (beginnings.count + 1) * descriptorsLater))
            }
        }

        private static let young = Locked(Young())
        private var running: [(transfer: CurlTransfer, number: Int)] = []

        /// How many more may begin.
        mutating func places() -> Int {
            if running.contains(where: { !$0.transfer.isInLookUp }) { end { !$0.isInLookUp } }
            let limit = max(1, min(Self.usualLimit, SystemCall.descriptorLimit / 8))
            return max(0, limit - running.count)
        }

        /// Whether there are descriptors for another one.
        var hasDescriptors: Bool {
            Self.young.withLock { young in
                young.forgetOlder(than: DispatchTime.now().uptimeNanoseconds)
                return young.hasDescriptors
            }
        }

        /// Begins one, if there are descriptors for it, or it needs none; returns whether it has begun.
        mutating func begin(for transfer: CurlTransfer, needsDescriptors: Bool) -> Bool {
            let isRunning = running.contains { $0.transfer === transfer }
            // In one step, as other loops look at the same descriptors.
            let (mayBegin, number) = Self.young.withLock { young -> (Bool, Int?) in
                let now = DispatchTime.now().uptimeNanoseconds
                young.forgetOlder(than: now)
                guard !needsDescriptors || young.hasDescriptors else { return (false, nil) }
                return (true, isRunning ? nil : young.begin(at: now))
            }
            if let number { running.append((transfer, number)) }
            return mayBegin
        }

        mutating func end(for transfer: CurlTransfer) {
            if !running.isEmpty { end { $0 === transfer } }
        }

        private mutating func end(where isOver: (CurlTransfer) -> Bool) {
            let numbers = running.filter { isOver($0.transfer) }.map(\.number)
            guard !numbers.isEmpty else { return }
            running.removeAll { isOver($0.transfer) }
            Self.young.withLock { for number in numbers { $0.beginnings[number] = nil } }
        }

        /// Nobody waits for it any more, but its thread goes on.
        mutating func abandon(_ transfer: CurlTransfer) {
            running.removeAll { $0.transfer === transfer }
        }
    }
#endif
