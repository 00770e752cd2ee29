#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// A place in each thread for one pointer or one number, `nil` or 0 at first. It is never released.
package struct ThreadKey: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        _ = pthread_key_create(&key, nil)
        self.key = key
    }

    /// The pointer of the current thread.
    var pointer: UnsafeMutableRawPointer? {
        get { pthread_getspecific(key) }
        nonmutating set { _ = pthread_setspecific(key, newValue) }
    }

    /// The number of the current thread, stored as a pointer that is never dereferenced.
    package var number: Int {
        get { Int(bitPattern: pointer) }
        nonmutating set { pointer = UnsafeMutableRawPointer(bitPattern: newValue) }
    }
}
