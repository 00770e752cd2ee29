/// A value behind one reference, for large values that are passed around often and rarely changed.
struct Boxed<Value: Sendable>: Sendable {
    /// One element: an array is copied when it is changed, and not before.
    private var storage: [Value]

    init(_ value: Value) {
        storage = [value]
    }

    var value: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}
