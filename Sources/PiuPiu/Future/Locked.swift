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
    @usableFromInline let storage: ManagedBuffer<Value, pthread_mutex_t>

    /// Makes a box that holds `value`, in one allocation with its mutex (a mutex must not move).
    @inlinable
    package init(_ value: Value) {
        storage = LockedStorage<Value>.create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            _ = pthread_mutex_init(mutex, nil)
        }
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable
    package func withLock<Output, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        try storage.withUnsafeMutablePointers { (value, mutex) throws(Failure) -> Output in
            _ = pthread_mutex_lock(mutex)
            defer { _ = pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
}

/// The one allocation behind a ``Locked`` value: the value, and behind it the mutex.
@usableFromInline
final class LockedStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
