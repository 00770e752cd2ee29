import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The spellings in which the platforms differ.
enum POSIX {
    #if canImport(Glibc)
        static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        static let stream = SOCK_STREAM
    #endif

    #if canImport(Darwin)
        /// Darwin has no such flag: each socket carries `SO_NOSIGPIPE` instead.
        static let sendFlags: Int32 = 0
        /// Darwin reports a peer that has left as a hang-up, when asked for it.
        static let peerLeft = Int16(POLLHUP)
    #else
        static let sendFlags = Int32(MSG_NOSIGNAL)
        /// `POLLRDHUP`, which Glibc hides from Swift behind `_GNU_SOURCE`.
        static let peerLeft: Int16 = 0x2000
    #endif

    static let dontWait = Int32(MSG_DONTWAIT)

    /// The last failed call's error number.
    static func failure(of call: String) -> LoopbackServerError {
        .system(call: call, code: errno)
    }

    /// The descriptor isn't handed down to child processes.
    static func closeOnExec(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    static func setBlocking(_ blocking: Bool, _ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    static func closeDescriptor(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    /// Waits for events, as long as it takes when there is no timeout; signals don't end it early without reason.
    static func poll(_ entries: inout [pollfd], milliseconds: Int32?) -> Int32 {
        #if canImport(Darwin)
            Darwin.poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
        #elseif canImport(Glibc)
            Glibc.poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
        #elseif canImport(Musl)
            Musl.poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
        #endif
    }
}
