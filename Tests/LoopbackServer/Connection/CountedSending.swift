import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What happens while a body is sent whose bytes are counted.
enum CountedSending: Equatable {
    /// The system has taken this many more bytes.
    case sent(Int)
    /// For a while it has taken none, or everything is sent.
    case paused

    /// How long a client may take nothing before it counts as a pause.
    private static let patience: Int32 = 250

    /// Sends the first `count` bytes of ``LoopbackPattern``. A send that waits would report nothing until its end.
    static func sendPattern(
        _ count: Int, to socket: Int32, noting note: (CountedSending) -> Void
    ) throws(ConnectionEnd) {
        try LoopbackPattern.forEachPart(of: 0..<max(0, count)) { part throws(ConnectionEnd) in
            var rest = part[...]
            while !rest.isEmpty {
                guard let sent = Socket.sendSome(UnsafeRawBufferPointer(rebasing: rest), to: socket) else {
                    throw .gone
                }
                if sent > 0 {
                    note(.sent(sent))
                    rest = rest.dropFirst(sent)
                } else {
                    waitForRoom(on: socket, noting: note)
                }
            }
        }
        note(.paused)
    }

    /// Returns when there is room, or when a try would fail and say why.
    private static func waitForRoom(on socket: Int32, noting note: (CountedSending) -> Void) {
        var entries = [pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)]
        guard POSIX.poll(&entries, milliseconds: patience) == 0 else { return }
        note(.paused)
        _ = POSIX.poll(&entries, milliseconds: nil)
    }
}
