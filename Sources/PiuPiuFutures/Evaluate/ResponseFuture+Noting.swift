extension ResponseFuture {
    /// A future that makes another one when it starts, passes on its updates, and observes its outcome.
    ///
    /// - Parameters:
    ///   - origin: what the future is for.
    ///   - makeFuture: makes the other one. A future that was cancelled before makes none, and calls neither of the
    ///     others.
    ///   - begin: is called first, on the thread that starts the future, so in the order in which several are started.
    ///   - finish: is called with the result and with what `begin` returned; makes the value, or the error, of this
    ///     future.
    package static func noting<Note: Sendable>(
        for origin: FutureOrigin, _ makeFuture: @escaping @Sendable () -> ResponseFuture,
        begin: @escaping @Sendable () -> Note,
        finish: @escaping @Sendable (Result<Success, any Error>, Note) throws -> Success
    ) -> ResponseFuture {
        ResponseFuture(origin: origin) { target in
            let note = begin()
            let work = ResponseFuture(parent: nil) { (_: AnyResponseFuture, head: FutureRun) async throws in
                let result: Result<Success, any Error>
                do {
                    result = .success(try await InnerFuture(makeFuture(), for: head).value(for: head).value)
                } catch {
                    result = .failure(error)
                }
                return TypedFutureValue(try finish(result, note))
            }
            work.fulfill(target)
            // Another thread has ended the target meanwhile, so the work was not started.
            if work.status == .created { _ = try? finish(.failure(CancellationError()), note) }
        }
    }
}
