import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Waits on a connection that sends nothing, and notices when the client leaves it (or finishes its sending, or the
/// server interrupts the socket). What the client sends meanwhile stays where it is.
enum ClientWatch {
    /// Waits for a time, or for as long as the client stays. Returns whether it has stayed.
    static func clientStays(on socket: Int32, seconds: Double?) -> Bool {
        let clock = ContinuousClock()
        let deadline = seconds.map { clock.now + .seconds(min(max(0, $0), 1e9)) }
        var entries = [pollfd(fd: socket, events: POSIX.peerLeft, revents: 0)]
        while true {
            let rest = deadline.map { clock.now.duration(to: $0) }
            if let rest, rest <= .zero { return true }
            if POSIX.poll(&entries, milliseconds: rest.map(milliseconds)) > 0, entries[0].revents != 0 { return false }
        }
    }

    /// Waits for a gate to open. Returns whether the client has stayed.
    static func clientStays(on socket: Int32, until gate: LoopbackGate) -> Bool {
        guard let pipe = try? WakePipe() else { return false }
        guard let ticket = gate.enter(with: pipe) else { return true }
        defer { gate.leave(ticket) }
        var entries = [
            pollfd(fd: socket, events: POSIX.peerLeft, revents: 0),
            pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard POSIX.poll(&entries, milliseconds: nil) > 0 else { continue }
            if entries[0].revents != 0 { return false }
            if entries[1].revents != 0 { return true }
        }
    }

    /// Reads and discards what a client still sends, so that the close doesn't become a reset that loses the answer.
    static func drain(_ socket: Int32, seconds: Double) {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(seconds)
        var entries = [pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        // After the deadline, reads what is there already, but not what a busy client keeps sending.
        var lateReads = 64
        while lateReads > 0 {
            let rest = milliseconds(clock.now.duration(to: deadline))
            if rest == 0 { lateReads -= 1 }
            guard POSIX.poll(&entries, milliseconds: rest) > 0 else { return }
            guard bytes.withUnsafeMutableBytes({ Socket.receive(into: $0, from: socket) }) > 0 else { return }
        }
    }

    /// Rounded up, so that nothing ends early.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        guard duration > .zero else { return 0 }
        return Int32(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
