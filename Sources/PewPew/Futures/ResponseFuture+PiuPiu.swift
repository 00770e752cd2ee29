public import PiuPiu

/// The way to and from the futures of PiuPiu.
extension ResponseFuture {
    /// A PiuPiu future of this one's value, which can be awaited, cancelled and joined.
    ///
    /// ```swift
    /// let (posts, users) = try await loadPosts().piuPiuFuture().parallelJoin { loadUsers().piuPiuFuture() }.value
    /// ```
    ///
    /// It sends this future when it is started, on the thread that starts it, or joins its run; if this one has ended it
    /// has the same outcome. Callbacks of this one are called too. Cancelling it cancels a request that runs for it
    /// alone.
    public func piuPiuFuture() -> PiuPiu.ResponseFuture<T> {
        PiuPiu.ResponseFuture { [core] promise in
            _ = promise.onCancellation { core.cancelIfUnwanted() }
            core.observe { outcome in
                switch outcome {
                case .success(let value): promise.succeed(with: value)
                case .error(let error): promise.fail(with: error)
                }
            }
        }
    }

    /// The value, as soon as it is there; sends the future if need be.
    ///
    /// ```swift
    /// let posts = try await getPosts().value
    /// ```
    ///
    /// - Throws: what the future failed with; `CancellationError` if the awaiting task was cancelled.
    public nonisolated(nonsending) var value: T {
        consuming get async throws {
            let future = piuPiuFuture()
            // Not held while waiting: the work's references are those that count.
            _ = consume self
            return try await future.value
        }
    }

    /// A future that ends, on the main actor, as a PiuPiu future ends: for modern code that legacy code calls.
    ///
    /// ```swift
    /// func getPosts() -> ResponseFuture<[Post]> {
    ///     .deliveringOnMain { client.posts() }
    /// }
    /// ```
    ///
    /// A cancellation is a failure with `CancellationError`.
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
        ResponseFuture(file: file, line: line) { future in
            let running = try makeFuture()
            future.core.onCancel {
                running.cancel()
                return []
            }
            running.send { result in
                switch result {
                case .success(let value): future.succeed(with: value)
                case .failure(let error): future.fail(with: error)
                }
            }
        }
    }
}
