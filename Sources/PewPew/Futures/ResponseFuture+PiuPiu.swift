public import PiuPiu

/// The way to and from the futures of PiuPiu.
extension ResponseFuture {
    /// A PiuPiu future of this one's value, which can be awaited, cancelled and joined.
    ///
    /// ```swift
    /// let (posts, users) = try await loadPosts().piuPiuFuture().parallelJoin { loadUsers().piuPiuFuture() }.value
    /// ```
    ///
    /// Its start sends this future on the calling thread, or joins its run. If this future has ended, it has the same
    /// outcome. The callbacks of this one are called, too. Cancelling the PiuPiu future cancels a request that runs
    /// only for it.
    public func piuPiuFuture() -> PiuPiu.ResponseFuture<T> {
        PiuPiu.ResponseFuture { [core] promise in
            core.observe(for: promise) { outcome in
                switch outcome {
                case .success(let value): promise.succeed(with: value)
                case .error(let error): promise.fail(with: error)
                }
            }
        }
    }

    /// The value, as soon as it is there; sends the future if it isn't sent yet.
    ///
    /// ```swift
    /// let posts = try await getPosts().value
    /// ```
    ///
    /// - Throws: the future's error; `CancellationError` if the awaiting task was cancelled.
    public nonisolated(nonsending) var value: T {
        consuming get async throws {
            let future = piuPiuFuture()
            // Released before the wait: only the references of the work keep it alive.
            _ = consume self
            return try await future.value
        }
    }

    /// A future that ends on the main actor with the outcome of a PiuPiu future, for legacy code that calls modern
    /// code.
    ///
    /// ```swift
    /// func getPosts() -> ResponseFuture<[Post]> {
    ///     .deliveringOnMain { client.posts() }
    /// }
    /// ```
    ///
    /// A cancellation is a failure with `CancellationError`. Callbacks of the PiuPiu future are called, too. Others may
    /// use that future, and the cancellation of a run doesn't harm them.
    ///
    /// - Parameters:
    ///   - file: where the future is created, for the message of an error.
    ///   - line: where the future is created.
    ///   - makeFuture: makes the PiuPiu future, for each run, on the thread that sends this one.
    @preconcurrency
    public static func deliveringOnMain(
        file: String = #fileID, line: UInt = #line,
        _ makeFuture: @escaping @Sendable () throws -> PiuPiu.ResponseFuture<T>
    ) -> ResponseFuture<T> {
        ResponseFuture(file: file, line: line) { future, run in
            // A link of its own: its cancellation gives up one interest in a future that others may await, too.
            let running = try makeFuture().relayed()
            let presentRun = future.core.onCancel(ofRun: run) {
                running.cancel()
                return []
            }
            guard presentRun != nil else { return }
            // The end of cancelled work is not that of a later run.
            running.send { result in
                switch result {
                case .success(let value): future.core.settle(.success(value), ofRun: run)
                case .failure(let error): future.core.settle(.error(error), ofRun: run)
                }
            }
        }
    }
}
