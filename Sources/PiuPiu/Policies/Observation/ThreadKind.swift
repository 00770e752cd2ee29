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

/// Whether a thread is the main one: each asks once. That takes longer on Linux than all else that an observation does.
enum ThreadKind: Int {
    case main = 1
    case other

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        _ = pthread_key_create(&key, nil)
        return key
    }()

    /// That of this thread.
    static var current: ThreadKind {
        // A number in the place of a pointer, which nobody follows.
        if let known = ThreadKind(rawValue: Int(bitPattern: pthread_getspecific(key))) { return known }
        let kind = Thread.isMainThread ? ThreadKind.main : .other
        _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: kind.rawValue))
        return kind
    }
}
