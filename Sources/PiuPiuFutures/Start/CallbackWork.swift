package import PiuPiuBasics

/// Work that ends with a call from elsewhere, such as the thread of an engine.
///
/// It needs no task that waits for that call, only to end the wait of another one.
@usableFromInline
package protocol CallbackWork<Success>: AnyObject, CancellableWork {
    associatedtype Success: Sendable

    /// Begins the work on this stack, in the task that launches it.
    ///
    /// - Parameters:
    ///   - run: gets its updates.
    ///   - end: is called once with the outcome, on any thread, perhaps before this returns.
    /// - Returns: false if nothing has begun, because only ``perform(for:)`` can do this work.
    func begin(for run: FutureRun, _ end: @escaping @Sendable (Result<Success, any Error>) -> Void) -> Bool

    /// Does the work in the task that calls this.
    func perform(for run: FutureRun) async throws -> Success
}
