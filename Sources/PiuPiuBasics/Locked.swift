#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#elseif canImport(Android)
    public import Android
#endif

// Sound: only `withLock` reaches the value, under the mutex, and the value itself is `Sendable`.

/// A value behind a POSIX mutex, for the few places where synchronous code meets an actor, a task or a delegate.
///
/// `Synchronization.Mutex` would read the same, but on Linux it makes the thread sanitizer report races in code that
/// has none, and the suites of this package's users run under that sanitizer.
///
/// The body of `withLock` calls nothing that could wait or call back: it resumes no continuation, runs no closure and
/// cancels no task. It returns what is to be done, and the caller does it afterwards.
@usableFromInline
package struct Locked<Value: Sendable>: @unchecked Sendable {
    // The mutex is the header, not the value: reaching the header counts as reading it, and the value may be read only
    // under the lock.
    @usableFromInline let storage: ManagedBuffer<pthread_mutex_t, Value>

    /// Makes a box that holds `value`, in one allocation with its mutex (a mutex must not move).
    @inlinable
    package init(_ value: Value) {
        storage = LockedStorage<Value>.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        storage.withUnsafeMutablePointers { mutex, place in
            initializeMutex(at: mutex)
            place.initialize(to: value)
        }
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    package func withLock<Output, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        try storage.withUnsafeMutablePointers { (mutex, place) throws(Failure) -> Output in
            _ = pthread_mutex_lock(mutex)
            defer { _ = pthread_mutex_unlock(mutex) }
            return try body(&place.pointee)
        }
    }

    /// Whether both are the same box.
    package func isSame(as other: Locked) -> Bool { storage === other.storage }

    /// Runs `body` like ``withLock(_:)``, and releases outside the lock what it takes out of the value, whose deinit
    /// may need the lock. (An optimised build releases a result that is merely ignored inside the lock.)
    @inlinable
    package func release<Content>(_ body: (inout Value) -> Content) {
        let content = withLock(body)
        withExtendedLifetime(content) {}
    }
}

/// The one allocation behind a ``Locked`` value: the mutex, then the value.
@usableFromInline
final class LockedStorage<Value>: ManagedBuffer<pthread_mutex_t, Value> {
    deinit {
        withUnsafeMutablePointers { mutex, place in
            place.deinitialize(count: 1)
            _ = pthread_mutex_destroy(mutex)
        }
    }
}

// Sound: the memory is allocated and initialised before anybody has the lock, and never released. Any thread may use a
// mutex.

/// A mutex that is never released, with a cache line of its own.
///
/// To use it retains nothing. A reference to a ``Locked`` value is retained and released for each use, which costs as
/// much as its mutex.
@usableFromInline
package struct PermanentLock: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        let lineSize = 64
        let size = (MemoryLayout<pthread_mutex_t>.size + lineSize - 1) / lineSize * lineSize
        mutex = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: lineSize)
            .bindMemory(to: pthread_mutex_t.self, capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        initializeMutex(at: mutex)
    }

    /// Runs `body` under the lock.
    @inlinable
    @inline(__always)
    package func withLock<Output>(_ body: () -> Output) -> Output {
        _ = pthread_mutex_lock(mutex)
        defer { _ = pthread_mutex_unlock(mutex) }
        return body()
    }
}

/// Makes a mutex, in memory that doesn't move.
///
/// Where the C library can, it spins for a moment before it puts a thread to sleep: the lock is held for much less time
/// than it takes to wake a thread.
@usableFromInline
package func initializeMutex(at place: UnsafeMutablePointer<pthread_mutex_t>) {
    #if canImport(Glibc) && !canImport(Darwin)
        var attributes = pthread_mutexattr_t()
        _ = pthread_mutexattr_init(&attributes)
        _ = pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        _ = pthread_mutex_init(place, &attributes)
        _ = pthread_mutexattr_destroy(&attributes)
    #else
        _ = pthread_mutex_init(place, nil)
    #endif
}
