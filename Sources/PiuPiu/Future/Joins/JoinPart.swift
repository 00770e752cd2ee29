/// One of several futures of different kinds that a join waits for, and then its value.
final class JoinPart<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case idle(ResponseFuture<Value>)
        case claimed(InnerFuture<Value>)
        case failed(any Error)
        case done(Value)
        case empty
    }

    private let state: Locked<State>
    let nesting: UInt16

    /// A part whose value comes from elsewhere: the parent's.
    init() {
        state = Locked(.empty)
        nesting = 0
    }

    init(_ future: consuming ResponseFuture<Value>) {
        nesting = future.joinNesting
        state = Locked(.idle(future))
    }

    deinit {
        var future: AnyResponseFuture? = takeIdle()
        if future != nil { Trampoline.letGo(&future) }
    }

    /// Waits for the value and keeps it.
    func run(for receiver: any UpdateReceiver) async throws {
        switch take() {
        case .claimed(let inner): keep(try await inner.value(for: receiver))
        case .failed(let error): throw error
        case .idle, .done, .empty: throw CancellationError()
        }
    }

    /// Keeps the value.
    func keep(_ value: Value) {
        state.withLock { $0 = .done(value) }
    }

    /// The value, once it has been kept.
    func value() throws -> Value {
        guard case .done(let value) = take() else { throw CancellationError() }
        return value
    }

    private func take() -> State {
        state.withLock { state in
            defer { state = .empty }
            return state
        }
    }

    private func takeIdle() -> ResponseFuture<Value>? {
        state.withLock { state in
            guard case .idle(let future) = state else { return nil }
            state = .empty
            return future
        }
    }
}

/// A ``JoinPart`` of whatever kind.
protocol JoinedPart: SideFutures {
    /// Waits for the value and keeps it.
    func run(for receiver: any UpdateReceiver) async throws
}

extension JoinPart: JoinedPart {
    func claim(for receiver: any UpdateReceiver) -> [FutureStart] {
        guard let future = takeIdle() else { return [] }
        var start: FutureStart?
        do {
            let inner = try InnerFuture(claiming: consume future, for: receiver, &start)
            state.withLock { $0 = .claimed(inner) }
        } catch {
            state.withLock { $0 = .failed(error) }
        }
        return start.map { [$0] } ?? []
    }

    func cancel() {
        if var future = takeIdle(), isKnownUniquelyReferenced(&future) { Trampoline.cancel(future) }
    }
}

/// Several parts.
final class JoinParts: SideFutures {
    private let parts: [any SideFutures]

    var nesting: UInt16 { parts.map(\.nesting).max() ?? 0 }

    init(_ parts: [any SideFutures]) {
        self.parts = parts
    }

    func claim(for receiver: any UpdateReceiver) -> [FutureStart] {
        parts.flatMap { $0.claim(for: receiver) }
    }

    func cancel() {
        for part in parts { part.cancel() }
    }
}
