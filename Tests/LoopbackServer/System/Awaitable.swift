import Foundation

/// State that knows whether an awaited condition is met.
protocol AwaitableState: Sendable {
    associatedtype Condition: Sendable

    /// How a wait for `condition` ends, or `nil` while it must go on.
    func outcome(of condition: Condition) -> Result<Void, LoopbackServerError>?
}

/// A value behind a lock that tasks can wait on: every change looks at the waiting conditions, so nothing polls.
// The one place of the server that is `@unchecked`. Sound: the stored variables are reached under `lock` alone, and
// all of them are `Sendable`. `NSLock` rather than `Mutex`, as the thread sanitizer misreads the latter on Linux.
final class Awaitable<State: AwaitableState>: @unchecked Sendable {
    private typealias Waiter = (condition: State.Condition, continuation: CheckedContinuation<Void, any Error>)

    private let lock = NSLock()
    private var state: State
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0

    init(_ state: State) {
        self.state = state
    }

    /// Changes the state, then resumes, outside the lock, the tasks whose condition is now met.
    @discardableResult
    func withLock<Output, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        lock.lock()
        var met: [(CheckedContinuation<Void, any Error>, Result<Void, LoopbackServerError>)] = []
        defer {
            lock.unlock()
            for (continuation, outcome) in met { continuation.resume(with: outcome.mapError { $0 as any Error }) }
        }
        let output = try body(&state)
        if !waiters.isEmpty {
            for (id, waiter) in waiters {
                guard let outcome = state.outcome(of: waiter.condition) else { continue }
                waiters[id] = nil
                met.append((waiter.continuation, outcome))
            }
        }
        return output
    }

    /// Waits until `condition` is met. A cancelled wait ends with a `CancellationError`.
    func wait(until condition: State.Condition) async throws {
        let id = lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = lock.withLock {
                    if let outcome = state.outcome(of: condition) { return outcome.mapError { $0 as any Error } }
                    // A cancel either came before this line, and is seen here, or finds the waiter in its place.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    waiters[id] = (condition, continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = lock.withLock { waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
