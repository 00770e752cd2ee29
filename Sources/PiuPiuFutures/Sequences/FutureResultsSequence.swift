/// The results of several futures: returned by `Sequence.resultsInCompletionOrder(limit:)` and
/// `Sequence.resultsInOrder(limit:)`.
///
/// Each iterator starts the futures that have not been started. The sequence may be iterated again if the sequence of
/// futures may: a settled future keeps its result.
public struct FutureResultsSequence<Base: Sequence, Success: Sendable>: AsyncSequence
where Base.Element == ResponseFuture<Success> {
    /// The result of one future.
    public typealias Element = Result<Success, any Error>
    /// Nothing is thrown: a failure is a result.
    public typealias Failure = Never

    @usableFromInline let base: Base
    @usableFromInline let order: FutureResultsOrder
    @usableFromInline let limit: Int?

    /// Makes an iterator; nothing starts before its first `next()`.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
        Iterator(producer: .init(base.makeIterator(), order: order, limit: limit, stopsAtFailure: false))
    }

    /// Returns the results one by one. When its last copy is released, the running futures are cancelled, unless
    /// somebody else is interested in them.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let producer: FutureResultsProducer<Base.Iterator, Success>

        @inlinable
        init(producer: FutureResultsProducer<Base.Iterator, Success>) {
            self.producer = producer
        }

        /// The next result; `nil` at the end, or when the task is cancelled, which cancels the running futures.
        @inlinable
        public mutating func next() async -> Element? {
            if case .element(let element) = await producer.next() { element.result } else { nil }
        }

        /// The same as ``next()``, for a caller on any actor.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            if case .element(let element) = await producer.next() { element.result } else { nil }
        }
    }
}

extension FutureResultsSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension FutureResultsSequence.Iterator: Sendable {}
