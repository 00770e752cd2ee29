/// The values of several futures, one after the other: what `Sequence.valuesInCompletionOrder(limit:)` and
/// `Sequence.valuesInOrder(limit:)` give.
public struct FutureValuesSequence<Base: Sequence, Success: Sendable>: AsyncSequence
where Base.Element == ResponseFuture<Success> {
    /// The value of one future.
    public typealias Element = Success
    /// What a future fails with, or `CancellationError`.
    public typealias Failure = any Error

    @usableFromInline let base: Base
    @usableFromInline let order: FutureResultsOrder
    @usableFromInline let limit: Int?

    /// Makes an iterator; nothing starts before its first `next()`.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
        Iterator(producer: .init(base.makeIterator(), order: order, limit: limit, stopsAtFailure: true))
    }

    /// Gives the values one by one. When its last copy is gone, the futures that still run are cancelled, unless
    /// somebody else is interested in them.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let producer: FutureResultsProducer<Base.Iterator, Success>

        @inlinable
        init(producer: FutureResultsProducer<Base.Iterator, Success>) {
            self.producer = producer
        }

        /// The next value, or `nil` at the end.
        ///
        /// - Throws: what the first future to fail failed with, once; `CancellationError` if the task was cancelled.
        ///   Then the futures that run have been cancelled.
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
