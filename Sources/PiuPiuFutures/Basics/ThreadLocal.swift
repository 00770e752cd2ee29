#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

// Sound: the key holds the pointer of an object only while the call that was given the object runs, on the same thread,
// and that call retains the object. So the object lives wherever the pointer can be read.

/// An object of the calls that run inside one another on one thread.
struct ThreadLocal<Object: AnyObject>: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        _ = pthread_key_create(&key, nil)
        self.key = key
    }

    /// The object of the innermost call on this thread that has one.
    var current: Object? {
        pthread_getspecific(key).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` with an object, or none, that it and what it calls on this thread can read.
    func withValue(_ object: Object?, _ body: () throws -> Void) rethrows {
        let former = pthread_getspecific(key)
        _ = pthread_setspecific(key, object.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        defer { _ = pthread_setspecific(key, former) }
        try withExtendedLifetime(object) { try body() }
    }
}
