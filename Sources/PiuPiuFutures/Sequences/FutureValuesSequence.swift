/// The values of several futures: returned by `Sequence.valuesInCompletionOrder(limit:)` and
/// `Sequence.valuesInOrder(limit:)`.
public struct FutureValuesSequence<Base: Sequence, Success: Sendable>: AsyncSequence
where Base.Element == ResponseFuture<Success> {
    /// The value of one future.
    public typealias Element = Success
    /// The error of a future, or `CancellationError`.
    public typealias Failure = any Error

    @usableFromInline let base: Base
    @usableFromInline let order: FutureResultsOrder
    @usableFromInline let limit: Int?

    /// Makes an iterator; nothing starts before its first `next()`.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
        Iterator(producer: .init(base.makeIterator(), order: order, limit: limit, stopsAtFailure: true))
    }

    /// Returns the values one by one. When its last copy is released, the running futures are cancelled, unless
    /// somebody else is interested in them.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let producer: FutureResultsProducer<Base.Iterator, Success>

        @inlinable
        init(producer: FutureResultsProducer<Base.Iterator, Success>) {
            self.producer = producer
        }

        /// The next value, or `nil` at the end.
        ///
        /// - Throws: the error of the first future to fail, once; `CancellationError` if the task was cancelled. By
        ///   then the running futures have been cancelled.
        @inlinable
        public mutating func next() async throws -> Success? {
            try await producer.next().value()
        }

        /// The same as ``next()``, for a caller on any actor.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Success? {
            try await producer.next().value()
        }
    }
}

extension FutureValuesSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension FutureValuesSequence.Iterator: Sendable {}

extension FutureResultsDelivery {
    @inlinable
    func value() throws -> Success? {
        switch self {
        case .element(let element): try element.result.get()
        case .end: nil
        case .cancelled: throw CancellationError()
        }
    }
}
