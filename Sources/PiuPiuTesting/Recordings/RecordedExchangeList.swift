import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchanges of a ``RecordingDispatcher``, and the waiters for more of them.
final class RecordedExchangeList: Sendable {
    /// An exchange that has begun or ended, as it is now.
    private typealias Change = (place: Int, exchange: RecordedExchange)

    private struct Waiter: Sendable {
        let id: Int
        /// How many changes it knows: the first ones.
        let known: Int
        /// How many changes it waits for.
        let changes: Int
        let continuation: CheckedContinuation<[Change], any Error>
    }

    private struct State: Sendable {
        var exchanges: [RecordedExchange] = []
        /// The places of the exchanges, once as each began and once as it ended.
        var changedPlaces: [Int] = []
        var lastWaiterID = 0
        var waiters: [Waiter] = []
        /// The waiters that were stopped before they suspended, and why.
        var stopped: [Int: any Error] = [:]

        /// The changes after the known ones, which are the first.
        func changes(after known: Int) -> [Change] {
            changedPlaces[known...].map { ($0, exchanges[$0]) }
        }

        /// Removes the waiters whose wait is over, and returns them with the changes that they don't know.
        mutating func takeReady() -> [(waiter: Waiter, changes: [Change])] {
            let count = changedPlaces.count
            let ready = waiters.filter { $0.changes <= count }
            if ready.isEmpty { return [] }
            waiters.removeAll { $0.changes <= count }
            return ready.map { ($0, changes(after: $0.known)) }
        }
    }

    private let state = Locked(State())
    private let stopwatch: Stopwatch
    private let bodyLimit: Int

    init(clock: any Clock<Duration>, bodyLimit: Int) {
        stopwatch = Stopwatch(clock)
        self.bodyLimit = bodyLimit
    }

    var exchanges: [RecordedExchange] { state.withLock { $0.exchanges } }

    /// Notes that a request was sent, and returns its place.
    func begin(_ kind: RecordedExchange.Kind, _ urlRequest: URLRequest, _ body: RecordedExchange.Body) -> Int {
        let exchange = RecordedExchange(
            kind: kind, urlRequest: urlRequest, body: body, start: stopwatch.elapsed, errorBodyLimit: bodyLimit)
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
            return place
        }
    }

    /// Notes that a request has failed, or was cancelled; a stream after this head and this part of its body.
    func fail(
        _ place: Int, _ error: any Error,
        breaking stream: (response: URLResponse, body: RecordedExchange.Body)? = nil
    ) {
        end(place, error.isCancellation ? .cancelled : .failure(error), breaking: stream)
    }

    /// Changes an exchange, and returns the place that `body` returns: that of the exchange.
    @discardableResult
    private func change(_ body: (inout [RecordedExchange]) -> Int) -> Int {
        let (place, ready) = state.withLock { state in
            let place = body(&state.exchanges)
            state.changedPlaces.append(place)
            return (place, state.takeReady())
        }
        for (waiter, changes) in ready { waiter.continuation.resume(returning: changes) }
        return place
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
        // A copy of its own, brought up to date with what has changed: each change is looked at once.
        var exchanges: [RecordedExchange] = [], fitting: Set<Int> = []
        var changes = state.withLock { $0.changes(after: 0) }, known = 0
        while true {
            known += changes.count
            for (place, exchange) in changes {
                if place == exchanges.count { exchanges.append(exchange) } else { exchanges[place] = exchange }
                if fits(exchange) { fitting.insert(place) } else { fitting.remove(place) }
            }
            guard fitting.count < count else { return exchanges }
            // One change makes at most one more exchange fit.
            changes = try await next(id, after: known, known + min(count - fitting.count, .max - known))
        }
    }

    /// A wait has reached its limit.
    struct TimeIsUp: Error {}

    /// Suspends until there were `changes` changes, and returns those after the known ones.
    private func next(_ id: Int, after known: Int, _ changes: Int) async throws -> [Change] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(id: id, known: known, changes: changes, continuation: continuation))
            }
        } onCancel: {
            stop(id, CancellationError())
        }
    }

    private func add(_ waiter: Waiter) {
        let result: Result<[Change], any Error>? = state.withLock { state in
            if let error = state.stopped[waiter.id] { return .failure(error) }
            if waiter.changes <= state.changedPlaces.count { return .success(state.changes(after: waiter.known)) }
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
