/// The exchanges of this process that are under way and small, as far as is known.
///
/// Large ones let them pass (see ``SessionEventLine``), whichever engine they belong to: all sessions of a process work
/// on one queue.
package enum SmallExchanges {
    /// From so many bytes on, in either direction, an exchange is a large one.
    static let limit = 256 * 1024

    private static let count = Locked(0)

    package static var areUnderWay: Bool { count.withLock { $0 > 0 } }

    static func begin() { count.withLock { $0 += 1 } }

    static func end() { count.withLock { $0 -= 1 } }
}
