/// Futures of a result that is known already, or of the elements of an `AsyncSequence`.
extension ResponseFuture {
    // Not `init(result:)`: that makes a future of a value, which may be a `Result` itself.

    /// A future that ends with this result as soon as it is started: the way back from ``result``.
    ///
    /// ```swift
    /// let user = ResponseFuture(completedWith: cache.lookUp(id))
    /// ```
    ///
    /// A failure with `CancellationError`, `URLError.cancelled` or `CocoaError.userCancelled` cancels it.
    public convenience init(completedWith result: Result<Success, any Error>) {
        self.init(
            parent: nil,
            transform: { _, _ in
                if Task.isCancelled { throw CancellationError() }
                return try result.get()
            })
    }

    /// A future of the first element of a sequence; the iteration ends there.
    ///
    /// ```swift
    /// let login = ResponseFuture(firstOf: NotificationCenter.default.notifications(named: .didLogIn).map(\.name))
    /// ```
    ///
    /// The iteration begins when the future is started (contract rule COLD), runs off the main actor, and ends with the
    /// future's cancellation. An error of the sequence fails the future; a sequence without an element fails it with
    /// ``FutureError/emptySequence(file:line:)``.
    ///
    /// - Parameters:
    ///   - elements: the sequence, iterated once.
    ///   - file: where the future is created, for the message of an error.
    ///   - line: where the future is created.
    public convenience init<Elements: AsyncSequence & Sendable>(
        firstOf elements: Elements, file: String = #fileID, line: UInt = #line
    ) where Elements.Element == Success {
        self.init(file: file, line: line) { () async throws -> Success in
            for try await element in elements { return element }
            throw FutureError.emptySequence(file: file, line: line)
        }
    }

    /// A future of the last element of a finite sequence; otherwise like ``init(firstOf:file:line:)``.
    ///
    /// - Parameters:
    ///   - elements: the sequence, iterated once.
    ///   - file: where the future is created, for the message of an error.
    ///   - line: where the future is created.
    public convenience init<Elements: AsyncSequence & Sendable>(
        lastOf elements: Elements, file: String = #fileID, line: UInt = #line
    ) where Elements.Element == Success {
        self.init(file: file, line: line) { () async throws -> Success in
            var last: Success?
            for try await element in elements { last = element }
            guard let last else { throw FutureError.emptySequence(file: file, line: line) }
            return last
        }
    }

    /// A future of all elements of a finite sequence.
    ///
    /// Otherwise like ``init(firstOf:file:line:)``, but a sequence without an element gives an empty array.
    ///
    /// - Parameter elements: the sequence, iterated once.
    public convenience init<Elements: AsyncSequence & Sendable>(allOf elements: Elements)
    where Success == [Elements.Element] {
        self.init(parent: nil) { (_: AnyResponseFuture, _: FutureRun) async throws in
            if Task.isCancelled { throw CancellationError() }
            var all: Success = []
            for try await element in elements { all.append(element) }
            return TypedFutureValue(all)
        }
    }
}
