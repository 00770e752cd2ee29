/// The locks behind all futures: each belongs to those whose addresses fall to it.
///
/// A future has no lock of its own, which would take more memory and time than what it protects. Nothing waits inside
/// one, so futures that share a lock wait for some ten nanoseconds at most.
enum LockStripes {
    private static let count = 64

    private static let locks = (0..<count).map { _ in Locked(()) }

    /// The lock of this object, always the same.
    @inline(__always)
    static func lock(for object: AnyObject) -> Locked<Void> {
        // Objects are apart by 16 bytes at the least.
        locks[(Int(bitPattern: ObjectIdentifier(object)) >> 4) & (count - 1)]
    }
}
