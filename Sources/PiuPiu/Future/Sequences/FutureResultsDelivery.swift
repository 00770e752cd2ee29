/// What one who asks for the next result of several futures is given.
@usableFromInline
package enum FutureResultsDelivery<Success: Sendable>: Sendable {
    /// A result, and which future it is from: 0 for the first of the sequence.
    @usableFromInline
    package typealias Element = (offset: Int, result: Result<Success, any Error>)

    case element(Element)
    case end
    /// The end, said once to one whose task was cancelled before everything was given.
    case cancelled
}

extension FutureResultsDelivery where Success == any FutureValue {
    /// The same with its type, which is that of all the futures of the sequence.
    @inlinable
    func typed<Value>() -> FutureResultsDelivery<Value> {
        switch self {
        case .element(let (offset, .success(value))):
            .element((offset, FutureOutcome.success(value).typed(as: Value.self).result))
        case .element(let (offset, .failure(error))): .element((offset, .failure(error)))
        case .end: .end
        case .cancelled: .cancelled
        }
    }
}
