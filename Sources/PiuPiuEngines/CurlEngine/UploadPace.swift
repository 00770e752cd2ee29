#if canImport(CPiuPiuCurl)
    /// Decides how many bytes of a request's body libcurl gets at once: as many as the network takes in a tenth of a second.
    ///
    /// Each part that libcurl takes shows that the server still reads, and is an update of the progress. A slow network
    /// gets small parts, so that both come often. A fast one gets large parts, which need fewer calls.
    package struct UploadPace: Sendable {
        private struct Mark {
            let time: UInt64, offset: Int64
        }

        /// The size of the first part, and the limits of the others, in bytes.
        package static let firstPart = 256 << 10, smallestPart = 64 << 10, largestPart = 512 << 10

        /// How many bytes show that a network is fast: the buffer of a socket takes some millions at once, and then again
        /// and again a part of that, however slow the network is.
        package static let window: Int64 = 4 << 20

        private static let nanosecondsOfPart = 100e6

        /// Where the bytes that show the speed begin, and where the next of them will.
        private var start: Mark?, next: Mark?

        package init() {}

        /// The maximum size of the next part.
        ///
        /// - Parameters:
        ///   - now: the time in nanoseconds.
        ///   - offset: how many bytes of the body libcurl has got.
        package mutating func nextPart(at now: UInt64, offset: Int64) -> Int {
            let mark = Mark(time: now, offset: offset)
            if offset - (next?.offset ?? offset) >= Self.window { (start, next) = (next, mark) }
            guard let start else {
                (start, next) = (mark, mark)
                return Self.firstPart
            }
            let count = offset - start.offset
            let limit = count < Self.window ? Self.firstPart : Self.largestPart
            guard now > start.time else { return limit }
            let size = Double(count) * Self.nanosecondsOfPart / Double(now - start.time)
            return Int(min(Double(limit), max(Double(Self.smallestPart), size)))
        }
    }
#endif
