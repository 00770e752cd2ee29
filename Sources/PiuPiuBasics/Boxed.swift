/// A value behind one reference, for large values that are passed around often and rarely changed.
@usableFromInline
package struct Boxed<Value: Sendable>: Sendable {
    /// One element: an array is copied when it is changed, and not before.
    @usableFromInline var storage: [Value]

    @inlinable
    package init(_ value: Value) {
        storage = [value]
    }

    @inlinable
    package var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}
