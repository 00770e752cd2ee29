/// A value behind one reference, for what is large, handed from hand to hand and seldom changed.
struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    init(_ value: Value) {
        box = Box(value)
    }

    /// A change copies all of it.
    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}
