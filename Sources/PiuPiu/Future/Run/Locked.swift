#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#elseif canImport(Android)
    public import Android
#endif

// Sound: the value is reached through `withLock` alone, under the mutex, and is itself `Sendable`.

/// A value behind a POSIX mutex, for the few places where synchronous code meets an actor, a task or a delegate.
///
/// `Synchronization.Mutex` would read the same, but on Linux it makes the thread sanitizer report races in code that
/// has none, and the suites of this package's users run under that sanitizer.
///
/// Inside `withLock` nothing is called that could wait or call back (no continuation is resumed, no closure run, no
/// task cancelled): the body returns what is to be done, and the caller does it afterwards.
@usableFromInline
package struct Locked<Value: Sendable>: @unchecked Sendable {
    // The mutex is the header: to reach a header counts as reading it, which may only be done to a value under the lock.
    @usableFromInline let storage: ManagedBuffer<pthread_mutex_t, Value>

    /// Makes a box that holds `value`, in one allocation with its mutex (a mutex must not move).
    @inlinable
    package init(_ value: Value) {
        storage = LockedStorage<Value>.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        storage.withUnsafeMutablePointers { mutex, place in
            _ = pthread_mutex_init(mutex, nil)
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

    /// Runs `body` like ``withLock(_:)``, and releases outside the lock what it takes out of the value: its deinit may come
    /// back to it. (A result that is merely ignored is released inside, in an optimised build.)
    package func release<Content>(_ body: (inout Value) -> Content) {
        let content = withLock(body)
        withExtendedLifetime(content) {}
    }
}

/// The one allocation behind a ``Locked`` value: the mutex, and behind it the value.
@usableFromInline
final class LockedStorage<Value>: ManagedBuffer<pthread_mutex_t, Value> {
    deinit {
        withUnsafeMutablePointers { mutex, place in
            place.deinitialize(count: 1)
            _ = pthread_mutex_destroy(mutex)
        }
    }
}
