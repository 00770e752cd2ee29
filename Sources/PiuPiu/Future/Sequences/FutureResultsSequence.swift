/// The results of several futures, one after the other: what `Sequence.resultsInCompletionOrder(limit:)` and
/// `Sequence.resultsInOrder(limit:)` give.
///
/// Each iterator starts the futures that have not been started. It may be iterated again if its futures' sequence may:
/// a settled future keeps its result.
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

    /// Gives the results one by one. When its last copy is gone, the futures that still run are cancelled, unless
    /// somebody else is interested in them.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let producer: FutureResultsProducer<Base.Iterator, Success>

        @inlinable
        init(producer: FutureResultsProducer<Base.Iterator, Success>) {
            self.producer = producer
        }

        /// The next result, or `nil` at the end; or when the task is cancelled, which cancels the futures that run.
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
