#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Limits how many tasks or exchanges are started inside each other on the stack of one thread: work may await other
/// futures to any depth, and each exchange may end inside its start (contract rule DEPTH).
@usableFromInline
package enum StartNesting {
    private static let limit = 8

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        _ = pthread_key_create(&key, nil)
        return key
    }()

    /// Runs `start` if there is room on the stack; false if there is none.
    @usableFromInline
    package static func run(_ start: () -> Void) -> Bool {
        // A number stored as a pointer that is never dereferenced.
        let depth = Int(bitPattern: pthread_getspecific(key))
        guard depth < limit else { return false }
        _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: depth + 1))
        defer { _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: depth)) }
        start()
        return true
    }
}
