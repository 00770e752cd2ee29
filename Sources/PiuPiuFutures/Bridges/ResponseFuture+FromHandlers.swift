/// Futures of code that reports to a completion handler.
///
/// All of them run their body like a legacy action: once, synchronously, on the thread that calls `send()` or awaits
/// the future (contract rules COLD and SYNC-START). An error that the body throws fails the future. The handler may be
/// called from any thread; the first call counts, later ones, and those after a cancellation, are ignored (SETTLE).
/// When the handler is released without a call, the future fails with ``FutureError/abandoned(file:line:)``
/// (NEVER-HANG). Where what the body returns for `onCancel` retains the handler, only a call ends the future: the
/// future retains what it would cancel.
extension ResponseFuture {
    /// A future of code that reports a `Result` to a completion handler.
    ///
    /// ```swift
    /// let image = ResponseFuture<Image>.withResultHandler { handler in
    ///     renderer.render(page, completion: handler)
    /// } onCancel: { job in
    ///     job.cancel()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - file: where the future is created, for the message of an error.
    ///   - line: where the future is created.
    ///   - body: begins the work; may return what cancels it.
    ///   - onCancel: called in the background when the future is cancelled, at most once, with what `body` returned;
    ///     not if it was cancelled before it started, when nothing has begun, or after it settled, when nothing runs.
    public static func withResultHandler<Work: Sendable>(
        file: String = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (@escaping @Sendable (Result<Success, any Error>) -> Void) throws -> Work,
        onCancel: (@Sendable (Work) -> Void)? = nil
    ) -> ResponseFuture<Success> {
        ResponseFuture(file: file, line: line) { future in
            // The first call of the handler releases the future, however long the handler itself is retained.
            let promise = Locked<ResponseFuture?>(future)
            let work = try body { result in promise.withLock { $0.take() }?.complete(with: result) }
            guard let onCancel else { return }
            _ = future.onCancellation { [weak run = future.run] in
                // A cancellation may also come after the end of the work, for callbacks that still wait.
                if case .cancelled? = run?.settledOutcome { onCancel(work) }
            }
        }
    }

    /// A future of code that reports an optional value and an optional error, as Cocoa does.
    ///
    /// ```swift
    /// let mail = ResponseFuture<Mail>.withValueAndErrorHandler { handler in
    ///     mailbox.fetch(id, completionHandler: handler)
    /// }
    /// ```
    ///
    /// Otherwise like ``withResultHandler(file:line:_:onCancel:)``. If there is an error the future fails with it,
    /// whatever the value is; with neither it fails with ``FutureError/neitherValueNorError(file:line:)``.
    ///
    /// - Parameters:
    ///   - file: where the future is created, for the message of an error.
    ///   - line: where the future is created.
    ///   - body: begins the work; may return what cancels it.
    ///   - onCancel: called in the background when the future is cancelled, at most once, with what `body` returned.
    public static func withValueAndErrorHandler<Work: Sendable>(
        file: String = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (@escaping @Sendable (Success?, (any Error)?) -> Void) throws -> Work,
        onCancel: (@Sendable (Work) -> Void)? = nil
    ) -> ResponseFuture<Success> {
        withResultHandler(
            file: file, line: line,
            { handler in
                try body { value, error in
                    if let error {
                        handler(.failure(error))
                    } else if let value {
                        handler(.success(value))
                    } else {
                        handler(.failure(FutureError.neitherValueNorError(file: file, line: line)))
                    }
                }
            }, onCancel: onCancel)
    }

    /// A future of code that reports nothing but an optional error, as Cocoa does; `nil` is success.
    ///
    /// ```swift
    /// let saved = ResponseFuture.withErrorHandler { handler in
    ///     document.save(completionHandler: handler)
    /// }
    /// ```
    ///
    /// Otherwise like ``withResultHandler(file:line:_:onCancel:)``.
    ///
    /// - Parameters:
    ///   - file: where the future is created, for the message of an error.
    ///   - line: where the future is created.
    ///   - body: begins the work; may return what cancels it.
    ///   - onCancel: called in the background when the future is cancelled, at most once, with what `body` returned.
    public static func withErrorHandler<Work: Sendable>(
        file: String = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (@escaping @Sendable ((any Error)?) -> Void) throws -> Work,
        onCancel: (@Sendable (Work) -> Void)? = nil
    ) -> ResponseFuture<Void> where Success == Void {
        withResultHandler(
            file: file, line: line,
            { handler in
                try body { error in handler(error.map { .failure($0) } ?? .success(())) }
            }, onCancel: onCancel)
    }
}
