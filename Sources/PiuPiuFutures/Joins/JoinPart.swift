/// One of several futures of different types that a join waits for, and then its value.
final class JoinPart<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case idle(ResponseFuture<Value>)
        case done(Value)
        case empty
    }

    private let state: Locked<State>
    let startsOnCaller: Bool

    init(_ future: consuming ResponseFuture<Value>) {
        startsOnCaller = future.startsOnCaller
        state = Locked(.idle(future))
    }

    deinit { release() }

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
}

/// A ``JoinPart`` of any type.
protocol JoinedPart: Sendable {
    var startsOnCaller: Bool { get }

    /// Begins the part, and keeps its value if that is available at once.
    func begin(at place: Int, _ core: JoinCore, isHere: Bool) -> FutureOutcome<Void>?

    /// Keeps the value.
    func keep(_ value: any FutureValue)

    /// Releases the future, if it has not begun.
    func release()
}

extension JoinPart: JoinedPart {
    func begin(at place: Int, _ core: JoinCore, isHere: Bool) -> FutureOutcome<Void>? {
        guard case .idle(let future) = take() else { return .cancelled }
        guard let outcome = core.observe(future, at: place, isHere: isHere) else { return nil }
        if case .success(let value) = outcome { keep(value) }
        return outcome.withoutValue
    }

    func keep(_ value: any FutureValue) {
        guard let value = TypedFutureValue<Value>.value(in: value) else { return }
        state.withLock { $0 = .done(value) }
    }

    func release() {
        var future = state.withLock { state -> ResponseFuture<Value>? in
            guard case .idle(let future) = state else { return nil }
            state = .empty
            return future
        }
        if future != nil { Trampoline.release(&future) }
    }
}

extension JoinParts {
    /// Futures of different types.
    init(_ parts: [any JoinedPart]) {
        self.init(
            count: parts.count, lastPlaceOnCaller: parts.lastIndex(where: \.startsOnCaller),
            begin: { place, core, isHere in parts[place].begin(at: place, core, isHere: isHere) },
            keep: { place, value in parts[place].keep(value) },
            release: { parts.forEach { $0.release() } })
    }
}
