extension ResponseFuture {
    /// A future, and the promise through which other code settles it.
    ///
    /// ```swift
    /// let (location, promise) = ResponseFuture<Location>.pending()
    /// self.promise = promise                       // a delegate calls promise.succeed(with: …) some time
    /// return location.timeout(.seconds(10))
    /// ```
    ///
    /// For work that begins elsewhere; work that begins with the future belongs into `ResponseFuture { promise in … }`
    /// (contract rule COLD). The promise is like the argument of such an action: ``succeed(with:)``, ``fail(with:)``,
    /// ``complete(with:)`` and ``AnyResponseFuture/cancel()`` work from any thread, before or after the future is
    /// started, and the first settlement counts (SETTLE); ``update(with:)-(TransferUpdate)`` counts from the start on.
    /// When the future is cancelled, the promise's ``onCancellation(_:)`` is called, and later settlements are ignored.
    /// When the last reference to the promise is released and nothing has settled it, the future fails with
    /// ``FutureError/abandoned(file:line:)`` (NEVER-HANG).
    ///
    /// PromiseKit: `Promise.pending()`; swift-nio: `makePromise`; Combine: `PassthroughSubject`.
    ///
    /// - Parameters:
    ///   - file: where the future is made, for the message of that error.
    ///   - line: where the future is made.
    public static func pending(
        file: String = #fileID, line: UInt = #line
    ) -> (future: ResponseFuture<Success>, promise: ResponseFuture<Success>) {
        let run = FutureRun()
        let origin = FutureOrigin.promise(PromiseOrigin(file: file, line: line))
        let promise = ResponseFuture(standingFor: run, isPromise: true, origin: origin)
        return (ResponseFuture(standingFor: run, isPromise: false, origin: origin), promise)
    }
}
