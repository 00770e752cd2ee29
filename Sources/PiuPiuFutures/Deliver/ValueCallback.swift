/// A success callback with the type of its value erased.
@usableFromInline
package protocol ValueCallback: AnyObject, Sendable {
    /// The actor that the callback belongs to, or `nil` if it belongs to none.
    var isolation: (any Actor)? { get }

    /// Calls the user's closure. Runs on that closure's actor.
    func call(with value: any FutureValue) async throws
}

/// A success callback that knows the type of its value.
@usableFromInline
final class TypedValueCallback<Success: Sendable>: ValueCallback {
    @usableFromInline let callback: @Sendable @isolated(any) (Success) throws -> Void

    @inlinable
    init(_ callback: @escaping @Sendable @isolated(any) (Success) throws -> Void) {
        self.callback = callback
    }

    @inlinable
    package var isolation: (any Actor)? { callback.isolation }

    @inlinable
    package func call(with value: any FutureValue) async throws {
        if let value = TypedFutureValue<Success>.value(in: value) { try await callback(value) }
    }
}
