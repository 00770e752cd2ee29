import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchanges of a ``RecordingDispatcher``, and those who wait for more of them.
final class ExchangeLog: Sendable {
    /// What is waited for.
    enum Stage: Sendable {
        case started, ended
    }

    private struct Waiter: Sendable {
        let id: Int
        let count: Int
        let stage: Stage
        let continuation: CheckedContinuation<[RecordedExchange], any Error>
    }

    private struct State: Sendable {
        var exchanges: [RecordedExchange] = []
        var endedCount = 0
        var lastWaiterID = 0
        var waiters: [Waiter] = []
        /// Those who were cancelled before they waited.
        var cancelled: Set<Int> = []

        func count(_ stage: Stage) -> Int { stage == .started ? exchanges.count : endedCount }

        /// Takes out those whose wait is over.
        mutating func takeReady() -> [Waiter] {
            let (started, ended) = (exchanges.count, endedCount)
            let isReady = { (waiter: Waiter) in waiter.count <= (waiter.stage == .started ? started : ended) }
            defer { waiters.removeAll(where: isReady) }
            return waiters.filter(isReady)
        }
    }

    private let state = Locked(State())
    private let now: @Sendable () -> Duration

    init(clock: any Clock<Duration>) {
        now = Self.stopwatch(clock)
    }

    var exchanges: [RecordedExchange] { state.withLock { $0.exchanges } }

    /// Notes that a request was sent, and gives its place.
    func begin(_ kind: RecordedExchange.Kind, _ urlRequest: URLRequest, _ body: RecordedExchange.Body) -> Int {
        let exchange = RecordedExchange(kind: kind, urlRequest: urlRequest, body: body, start: now())
        let (place, ready, exchanges) = state.withLock { state in
            state.exchanges.append(exchange)
            let ready = state.takeReady()
            return (state.exchanges.count - 1, ready, ready.isEmpty ? [] : state.exchanges)
        }
        for waiter in ready { waiter.continuation.resume(returning: exchanges) }
        return place
    }

    /// Notes how a request ended.
    func end(_ place: Int, _ outcome: RecordedExchange.Outcome) {
        let time = now()
        let (ready, exchanges) = state.withLock { state in
            state.exchanges[place].outcome = outcome
            state.exchanges[place].duration = time - state.exchanges[place].start
            state.endedCount += 1
            let ready = state.takeReady()
            return (ready, ready.isEmpty ? [] : state.exchanges)
        }
        for waiter in ready { waiter.continuation.resume(returning: exchanges) }
    }

    /// Notes that a request has failed, or was cancelled.
    func fail(_ place: Int, _ error: any Error) {
        let isCancelled = error is CancellationError || (error as? URLError)?.code == .cancelled
        end(place, isCancelled ? .cancelled : .failure(error))
    }

    /// Suspends until so many exchanges have come so far.
    func wait(for count: Int, _ stage: Stage) async throws -> [RecordedExchange] {
        let id = state.withLock { state in
            state.lastWaiterID += 1
            return state.lastWaiterID
        }
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(id: id, count: count, stage: stage, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ waiter: Waiter) {
        let result: Result<[RecordedExchange], any Error>? = state.withLock { state in
            if state.cancelled.contains(waiter.id) { return .failure(CancellationError()) }
            if waiter.count <= state.count(waiter.stage) { return .success(state.exchanges) }
            state.waiters.append(waiter)
            return nil
        }
        if let result { waiter.continuation.resume(with: result) }
    }

    private func cancel(_ id: Int) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
