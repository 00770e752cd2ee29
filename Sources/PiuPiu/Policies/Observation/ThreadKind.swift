import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Whether a thread is the main one, looked up once for each thread: on Linux the look-up is slow.
enum ThreadKind: Int {
    case main = 1
    case other

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        _ = pthread_key_create(&key, nil)
        return key
    }()

    /// The kind of the current thread.
    static var current: ThreadKind {
        // A number stored as a pointer that is never dereferenced.
        if let known = ThreadKind(rawValue: Int(bitPattern: pthread_getspecific(key))) { return known }
        let kind = Thread.isMainThread ? ThreadKind.main : .other
        _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: kind.rawValue))
        return kind
    }
}
