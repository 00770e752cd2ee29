/// What a consumer that asks for the next result of several futures gets.
@usableFromInline
package enum FutureResultsDelivery<Success: Sendable>: Sendable {
    /// A result, and the offset of its future: 0 for the first of the sequence.
    @usableFromInline
    package typealias Element = (offset: Int, result: Result<Success, any Error>)

    case element(Element)
    case end
    /// The end, delivered once to a consumer whose task was cancelled before everything was delivered.
    case cancelled
}

extension FutureResultsDelivery where Success == any FutureValue {
    /// The same with the type of the values.
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
