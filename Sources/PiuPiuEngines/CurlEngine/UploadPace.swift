#if canImport(CPiuPiuCurl)
    /// Decides how many bytes of a request's body libcurl gets at once: as many as the network takes in a tenth of a second.
    ///
    /// Each part that libcurl takes shows that the server still reads, and is an update of the progress. A slow network
    /// gets small parts, so that both come often. A fast one gets large parts, which need fewer calls.
    package struct UploadPace: Sendable {
        private struct Mark {
            let time: UInt64, offset: Int64
        }

        /// The sizes of the smallest and of the largest part, in bytes.
        package static let smallestPart = 64 << 10, largestPart = 512 << 10

        /// How many bytes at least show the speed: the buffer of a socket takes some millions at once, and then again
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
        ///   - offset: how many bytes of the body libcurl has got; fewer than before if it begins the body again.
        package mutating func nextPart(at now: UInt64, offset: Int64) -> Int {
            guard let next, next.offset <= offset else {
                self = UploadPace()
                next = Mark(time: now, offset: offset)
                return Self.smallestPart
            }
            if offset - next.offset >= Self.window { (start, self.next) = (next, Mark(time: now, offset: offset)) }
            guard let start else { return Self.smallestPart }
            guard now > start.time else { return Self.largestPart }
            let size = Double(offset - start.offset) * Self.nanosecondsOfPart / Double(now - start.time)
            return Int(min(Double(Self.largestPart), max(Double(Self.smallestPart), size)))
        }
    }
#endif
