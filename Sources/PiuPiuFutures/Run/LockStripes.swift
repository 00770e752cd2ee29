#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

// Sound: the memory is allocated and initialised once, before the first use, and never released. What is in it are
// mutexes, which any thread may use.

/// The locks behind all futures: the address of a future selects one.
///
/// A lock for each future would take more memory and time than the state that it protects. Nothing waits while it holds
/// one, so futures that share a lock wait for some ten nanoseconds at most.
///
/// Not ``Locked`` values: a reference to one is retained for each use, which costs as much as the lock.
struct LockStripes: @unchecked Sendable {
    private static let all = LockStripes()
    private static let count = 64
    /// The distance between two locks: each has a cache line of its own.
    private static let stride = (MemoryLayout<pthread_mutex_t>.size + 63) & ~63

    private let first: UnsafeMutableRawPointer

    private init() {
        first = .allocate(byteCount: Self.count * Self.stride, alignment: 64)
        for index in 0..<Self.count {
            let place = (first + index * Self.stride).bindMemory(to: pthread_mutex_t.self, capacity: 1)
            place.initialize(to: pthread_mutex_t())
            initializeMutex(at: place)
        }
    }

    /// Runs `body` under the lock of this object, always the same.
    @inline(__always)
    static func withLock<Output>(of object: AnyObject, _ body: () -> Output) -> Output {
        // Objects are at least 16 bytes apart.
        let index = (Int(bitPattern: ObjectIdentifier(object)) >> 4) & (count - 1)
        let mutex = (all.first + index * stride).assumingMemoryBound(to: pthread_mutex_t.self)
        _ = pthread_mutex_lock(mutex)
        defer { _ = pthread_mutex_unlock(mutex) }
        return body()
    }
}
