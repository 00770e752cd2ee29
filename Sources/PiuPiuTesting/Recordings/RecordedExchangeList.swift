import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchanges of a ``RecordingDispatcher``, and the waiters for more of them.
final class RecordedExchangeList: Sendable {
    private typealias Snapshot = (exchanges: [RecordedExchange], changes: Int)

    private struct Waiter: Sendable {
        let id: Int
        /// How many changes it waits for.
        let changes: Int
        let continuation: CheckedContinuation<Snapshot, any Error>
    }

    private struct State: Sendable {
        var exchanges: [RecordedExchange] = []
        /// How many exchanges have begun, plus how many have ended.
        var changes = 0
        var lastWaiterID = 0
        var waiters: [Waiter] = []
        /// The waiters that were stopped before they suspended, and why.
        var stopped: [Int: any Error] = [:]

        var snapshot: Snapshot { (exchanges, changes) }

        /// Removes the waiters whose wait is over.
        mutating func takeReady() -> [Waiter] {
            let changes = changes
            defer { waiters.removeAll { $0.changes <= changes } }
            return waiters.filter { $0.changes <= changes }
        }
    }

    private let state = Locked(State())
    private let stopwatch: Stopwatch

    init(clock: any Clock<Duration>) {
        stopwatch = Stopwatch(clock)
    }

    var exchanges: [RecordedExchange] { state.withLock { $0.exchanges } }

    /// Notes that a request was sent, and returns its place.
    func begin(_ kind: RecordedExchange.Kind, _ urlRequest: URLRequest, _ body: RecordedExchange.Body) -> Int {
        let exchange = RecordedExchange(kind: kind, urlRequest: urlRequest, body: body, start: stopwatch.elapsed)
        return change { exchanges in
            exchanges.append(exchange)
            return exchanges.count - 1
        }
    }

    /// Notes how a request ended.
    func end(
        _ place: Int, _ outcome: RecordedExchange.Outcome,
        breaking stream: (response: URLResponse, body: RecordedExchange.Body)? = nil
    ) {
        let time = stopwatch.elapsed
        change { exchanges in
            exchanges[place].outcome = outcome
            exchanges[place].brokenStream = stream
            exchanges[place].duration = time - exchanges[place].start
        }
    }

    /// Notes that a request has failed, or was cancelled; a stream after this head and this part of its body.
    func fail(
        _ place: Int, _ error: any Error,
        breaking stream: (response: URLResponse, body: RecordedExchange.Body)? = nil
    ) {
        let isCancelled = error is CancellationError || (error as? URLError)?.code == .cancelled
        end(place, isCancelled ? .cancelled : .failure(error), breaking: stream)
    }

    private func change<Value: Sendable>(_ body: (inout [RecordedExchange]) -> Value) -> Value {
        let (value, ready, snapshot) = state.withLock { state in
            let value = body(&state.exchanges)
            state.changes += 1
            let ready = state.takeReady()
            return (value, ready, ready.isEmpty ? ([], 0) : state.snapshot)
        }
        for waiter in ready { waiter.continuation.resume(returning: snapshot) }
        return value
    }

    /// Suspends until `count` exchanges fit, and returns all exchanges. `fits` is called on the caller's actor, outside
    /// any lock.
    ///
    /// - Throws: ``TimeIsUp`` after the limit, and a `CancellationError`.
    func wait(
        for count: Int, within limit: (duration: Duration, clock: any Clock<Duration>)?,
        where fits: (RecordedExchange) -> Bool
    ) async throws -> [RecordedExchange] {
        let id = state.withLock { state in
            state.lastWaiterID += 1
            return state.lastWaiterID
        }
        defer { state.withLock { _ = $0.stopped.removeValue(forKey: id) } }
        let timer = limit.map { duration, clock in
            Task {
                try await clock.sleep(latency: duration)
                stop(id, TimeIsUp())
            }
        }
        defer { timer?.cancel() }
        var (exchanges, changes) = state.withLock { $0.snapshot }
        while true {
            let fitting = exchanges.count(where: fits)
            guard fitting < count else { return exchanges }
            // One change makes at most one more exchange fit.
            (exchanges, changes) = try await next(id, after: changes + min(count - fitting, .max - changes))
        }
    }

    /// A wait has reached its limit.
    struct TimeIsUp: Error {}

    /// Suspends until there were `changes` changes.
    private func next(_ id: Int, after changes: Int) async throws -> Snapshot {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(id: id, changes: changes, continuation: continuation))
            }
        } onCancel: {
            stop(id, CancellationError())
        }
    }

    private func add(_ waiter: Waiter) {
        let result: Result<Snapshot, any Error>? = state.withLock { state in
            if let error = state.stopped[waiter.id] { return .failure(error) }
            if waiter.changes <= state.changes { return .success(state.snapshot) }
            state.waiters.append(waiter)
            return nil
        }
        if let result { waiter.continuation.resume(with: result) }
    }

    private func stop(_ id: Int, _ error: any Error) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.stopped[id] = error
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(throwing: error)
    }
}
