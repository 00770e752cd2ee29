/// A value with its type erased, so that the actor behind a future is not generic: its code is compiled once, and
/// entering it needs no metadata lookup at run time. A reference of one word.
@usableFromInline
package typealias FutureValue = AnyObject & Sendable

/// The box behind a ``FutureValue``.
@usableFromInline
package final class TypedFutureValue<Success: Sendable>: Sendable {
    @usableFromInline package let value: Success

    @inlinable
    package init(_ value: Success) {
        self.value = value
    }

    /// The value in a box. The erased type is always this one, because a run belongs to one future.
    @inlinable
    static func value(in box: any FutureValue) -> Success? { (box as? TypedFutureValue)?.value }
}

extension FutureOutcome where Success: Sendable {
    /// This outcome with its value in a box.
    @inlinable
    var boxed: FutureOutcome<TypedFutureValue<Success>> {
        flatMap { .success(TypedFutureValue($0)) }
    }
}

extension FutureOutcome {
    /// The value, or the error; `CancellationError` if it was cancelled.
    @inlinable
    func unboxed<Value>() throws -> Value where Success == TypedFutureValue<Value> { try get().value }

    /// This boxed outcome with its type erased.
    @inlinable
    func erasingBox<Value>() -> FutureOutcome<any FutureValue> where Success == TypedFutureValue<Value> {
        flatMap { .success($0) }
    }
}

extension FutureOutcome where Success == any FutureValue {
    /// This outcome with its type.
    @inlinable
    package func typed<Value>(as type: Value.Type = Value.self) -> FutureOutcome<Value> {
        flatMap { TypedFutureValue<Value>.value(in: $0).map { .success($0) } ?? .cancelled }
    }

    /// The same with the value in its box.
    func typedBox<Value>() -> FutureOutcome<TypedFutureValue<Value>> {
        flatMap { ($0 as? TypedFutureValue<Value>).map { .success($0) } ?? .cancelled }
    }
}
