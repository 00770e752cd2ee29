/// Somebody who waits, behind one reference.
///
/// The size of a `CheckedContinuation` is not known to the compiler, and so that of nothing which contains one: the
/// state of a future would be copied field by field at run time.
@usableFromInline
final class Awaiter<Value: Sendable>: Sendable {
    private let continuation: CheckedContinuation<Value, Never>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = continuation
    }

    func resume(returning value: Value) {
        continuation.resume(returning: value)
    }
}
