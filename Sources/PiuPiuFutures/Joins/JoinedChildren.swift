/// Many futures of one type that a join waits for, and their values.
@usableFromInline
final class JoinedChildren<Value: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        /// The futures that have not begun.
        @usableFromInline var futures: [ResponseFuture<Value>?]
        @usableFromInline var unbegunCount: Int
        @usableFromInline var values: [Value?]

        @inlinable
        init(_ futures: consuming [ResponseFuture<Value>]) {
            values = [Value?](repeating: nil, count: futures.count)
            self.futures = futures.map { $0 }
            unbegunCount = futures.count
        }

        @inlinable
        mutating func takeFuture(at place: Int) -> ResponseFuture<Value>? {
            guard let future = futures[place].take() else { return nil }
            unbegunCount -= 1
            return future
        }
    }

    @usableFromInline let state: Locked<State>

    @inlinable
    init(_ futures: consuming [ResponseFuture<Value>]) {
        state = Locked(State(futures))
    }

    deinit { releaseFutures() }

    /// The parts of a join of these.
    @inlinable
    static func parts(of futures: consuming [ResponseFuture<Value>]) -> (JoinParts, JoinedChildren<Value>) {
        let last = futures.lastIndex(where: \.startsOnCaller)
        let count = futures.count
        let children = JoinedChildren(consume futures)
        let parts = JoinParts(
            count: count, lastPlaceOnCaller: last,
            begin: { place, core, isHere in children.begin(place, core, isHere: isHere) },
            keep: { place, value in children.keep(value, at: place) },
            release: { children.releaseFutures() })
        return (parts, children)
    }

    @inlinable
    func begin(_ place: Int, _ core: JoinCore, isHere: Bool) -> FutureOutcome<Void>? {
        guard var child = state.withLock({ $0.takeFuture(at: place) }) else { return .cancelled }
        do {
            let value: Value
            if isHere, let evaluated = try ResponseFuture<Value>.valueNow(of: &child) {
                value = evaluated
            } else if let outcome = core.observe(child, at: place, isHere: isHere) {
                value = try outcome.typed(as: Value.self).get()
            } else {
                return nil
            }
            state.withLock { $0.values[place] = value }
            return .success(())
        } catch {
            return FutureOutcome(failure: error)
        }
    }

    @inlinable
    func keep(_ value: any FutureValue, at place: Int) {
        guard let value = TypedFutureValue<Value>.value(in: value) else { return }
        state.withLock { $0.values[place] = value }
    }

    /// The value at this place, once it is available.
    @inlinable
    func value(at place: Int) throws -> Value {
        guard let value = state.withLock({ $0.values[place] }) else { throw CancellationError() }
        return value
    }

    /// Takes out all values, in the order of the futures.
    @inlinable
    func takeValues() -> [Value] {
        let values = state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
        return values.compactMap { $0 }
    }

    /// Releases the futures that have not begun, one after the other (contract rule DEPTH).
    @usableFromInline
    func releaseFutures() {
        var futures = state.withLock { state -> [ResponseFuture<Value>?] in
            guard state.unbegunCount > 0 else { return [] }
            state.unbegunCount = 0
            defer { state.futures = Array(repeating: nil, count: state.futures.count) }
            return state.futures
        }
        while var future = futures.popLast() { Trampoline.release(&future) }
    }
}
