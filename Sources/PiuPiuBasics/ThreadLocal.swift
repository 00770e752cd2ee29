// Sound: the key holds the pointer of an object only while the call that was given the object runs, on the same thread,
// and that call retains the object. So the object lives wherever the pointer can be read.

/// An object of the calls that run inside one another on one thread.
@usableFromInline
package struct ThreadLocal<Object: AnyObject>: Sendable {
    @usableFromInline let key = ThreadKey()

    @inlinable
    package init() {}

    /// The object of the innermost call on this thread that has one.
    @inlinable
    package var current: Object? {
        key.pointer.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` with an object, or none, that it and what it calls on this thread can read.
    @inlinable
    package func withValue<Output>(_ object: Object?, _ body: () throws -> Output) rethrows -> Output {
        let former = key.pointer
        key.pointer = object.map { Unmanaged.passUnretained($0).toOpaque() }
        defer { key.pointer = former }
        return try withExtendedLifetime(object) { try body() }
    }
}
