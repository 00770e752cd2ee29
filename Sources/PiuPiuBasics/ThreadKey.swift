#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#elseif canImport(Android)
    public import Android
#endif

/// A place in each thread for one pointer or one number, `nil` or 0 at first. It is never released.
@usableFromInline
package struct ThreadKey: Sendable {
    @usableFromInline let key: pthread_key_t

    @usableFromInline
    package init() {
        var key = pthread_key_t()
        _ = pthread_key_create(&key, nil)
        self.key = key
    }

    /// The pointer of the current thread.
    @inlinable
    package var pointer: UnsafeMutableRawPointer? {
        get { pthread_getspecific(key) }
        nonmutating set { _ = pthread_setspecific(key, newValue) }
    }

    /// The number of the current thread, stored as a pointer that is never dereferenced.
    package var number: Int {
        get { Int(bitPattern: pointer) }
        nonmutating set { pointer = UnsafeMutableRawPointer(bitPattern: newValue) }
    }

    /// Runs `body`, and counts how many such calls are nested on this thread; false, without a run, beyond the limit.
    func nest(upTo limit: Int, _ body: () -> Void) -> Bool {
        let depth = number
        guard depth < limit else { return false }
        number = depth + 1
        defer { number = depth }
        body()
        return true
    }
}
