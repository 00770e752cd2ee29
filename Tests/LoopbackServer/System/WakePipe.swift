import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Wakes a thread that waits in `poll` for a socket as well.
final class WakePipe: Sendable {
    /// What to poll for input.
    let reader: Int32
    private let writer: Int32

    init() throws(LoopbackServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIX.failure(of: "pipe") }
        reader = ends[0]
        writer = ends[1]
        for end in ends {
            POSIX.closeOnExec(end)
            POSIX.setBlocking(false, end)
        }
    }

    deinit {
        POSIX.closeDescriptor(reader)
        POSIX.closeDescriptor(writer)
    }

    /// Ends the current poll, or the next one. A full pipe needs no further byte.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Discards the wake-ups so far.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) == bytes.count {}
    }
}
