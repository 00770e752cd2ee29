/// The results of several futures with their offsets: returned by `Sequence.indexedResultsInCompletionOrder(limit:)`.
public struct IndexedFutureResultsSequence<Base: Sequence, Success: Sendable>: AsyncSequence
where Base.Element == ResponseFuture<Success> {
    /// The result of one future, and the offset of the future in its sequence: 0 for the first.
    public typealias Element = (offset: Int, result: Result<Success, any Error>)
    /// Nothing is thrown: a failure is a result.
    public typealias Failure = Never

    @usableFromInline let base: Base
    @usableFromInline let limit: Int?

    /// Makes an iterator; nothing starts before its first `next()`.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
        Iterator(producer: .init(base.makeIterator(), order: .completion, limit: limit, stopsAtFailure: false))
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
            if case .element(let element) = await producer.next() { element } else { nil }
        }

        /// The same as ``next()``, for a caller on any actor.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            if case .element(let element) = await producer.next() { element } else { nil }
        }
    }
}

extension IndexedFutureResultsSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension IndexedFutureResultsSequence.Iterator: Sendable {}
