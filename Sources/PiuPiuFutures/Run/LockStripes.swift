/// The locks behind all futures: the address of a future selects one.
///
/// A lock for each future would take more memory and time than the state that it protects. Nothing waits while it holds
/// one, so futures that share a lock wait for some ten nanoseconds at most.
enum LockStripes {
    private static let count = 64

    private static let locks = (0..<count).map { _ in PermanentLock() }

    /// Runs `body` under the lock of this object, always the same.
    @inline(__always)
    static func withLock<Output>(of object: AnyObject, _ body: () -> Output) -> Output {
        // Objects are at least 16 bytes apart.
        locks[(Int(bitPattern: ObjectIdentifier(object)) >> 4) & (count - 1)].withLock(body)
    }
}
