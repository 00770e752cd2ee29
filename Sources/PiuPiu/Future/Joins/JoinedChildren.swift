public import Foundation

/// Many futures of one kind that a join waits for, and their values.
///
/// Without a limit all are started together. Those that are known to need no suspension share as many tasks as there
/// are processors: more would not make them faster. With a limit, so many tasks take up one future after the other.
@usableFromInline
final class JoinedChildren<Value: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        /// The futures that have not been taken up, the next one last.
        @usableFromInline var futures: [ResponseFuture<Value>]
        /// The futures that were claimed when the join was started.
        @usableFromInline var claimed: ArraySlice<Result<InnerFuture<Value>, any Error>> = []
        /// Futures that turned out to need a suspension, with their places.
        @usableFromInline var suspended: [(Int, InnerFuture<Value>)] = []
        @usableFromInline var values: [Value?]

        @inlinable
        init(_ futures: [ResponseFuture<Value>]) {
            self.futures = futures
            values = [Value?](repeating: nil, count: futures.count)
        }
    }

    @usableFromInline let state: Locked<State>
    @usableFromInline let count: Int
    @usableFromInline let limit: Int?
    @usableFromInline let nesting: UInt16
    /// Whether all are expected to need no suspension.
    @usableFromInline let isSynchronous: Bool

    /// - Parameter limit: how many may run at once; less than one counts as one.
    @inlinable
    init(_ futures: consuming [ResponseFuture<Value>], limit: Int?) {
        count = futures.count
        self.limit = limit.map { max($0, 1) }
        nesting = futures.lazy.map(\.joinNesting).max() ?? 0
        isSynchronous = futures.allSatisfy(\.isSynchronousThroughout)
        state = Locked(State(futures.reversed()))
    }

    deinit {
        var place = 0
        var future: AnyResponseFuture? = takeNext(&place)
        while future != nil {
            Trampoline.letGo(&future)
            future = takeNext(&place)
        }
    }

    /// The values in the order of the children; the first failure cancels the other children and is thrown.
    @inlinable
    func values(for receiver: any UpdateReceiver) async throws -> [Value] {
        do {
            try await run(for: receiver)
        } catch {
            // Those that came to need a suspension after the first failure must still be waited for, to be left.
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                for (_, child) in takeSuspended() { group.addTask { _ = try? await child.value(for: receiver) } }
            }
            throw error
        }
        return state.withLock { $0.values.compactMap { $0 } }
    }

    @inlinable
    func run(for receiver: any UpdateReceiver) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, child) in takeClaimed().enumerated() {
                group.addTask { self.keep(try await child.get().value(for: receiver), at: place) }
            }
            for _ in 0..<min(limit ?? ProcessInfo.processInfo.activeProcessorCount, remainingCount) {
                group.addTask { try await self.runOneAfterTheOther(for: receiver) }
            }
            while try await group.next() != nil {
                for (place, child) in takeSuspended() {
                    group.addTask { self.keep(try await child.value(for: receiver), at: place) }
                    group.addTask { try await self.runOneAfterTheOther(for: receiver) }
                }
            }
        }
    }

    /// The body of one of the tasks that share the children.
    @inlinable
    func runOneAfterTheOther(for receiver: any UpdateReceiver) async throws {
        var place = 0
        while var child = takeNext(&place) {
            try Task.checkCancellation()
            if limit != nil {
                keep(try await InnerFuture(consume child, for: receiver).value(for: receiver), at: place)
            } else if isKnownUniquelyReferenced(&child), child.claimForChild() {
                do {
                    var context = WorkContext(receiver: nil)
                    keep(try child.valueInPlace(in: &context), at: place)
                } catch is MustWait {
                    // Another task waits for it, so that this one can go on with the others.
                    return suspend(InnerFuture(claimed: child, for: receiver), at: place)
                }
            } else {
                return suspend(try InnerFuture(consume child, for: receiver), at: place)
            }
        }
    }

    /// The next child, started; `nil` when there is none left.
    ///
    /// A failure is for the task of that child to throw: what was claimed must be waited for by somebody.
    func takeUpNext(for receiver: any UpdateReceiver) -> Result<InnerFuture<Value>, any Error>? {
        if let claimed = state.withLock({ $0.claimed.popFirst() }) { return claimed }
        var place = 0
        guard let child = takeNext(&place) else { return nil }
        do {
            return .success(try InnerFuture(consume child, for: receiver))
        } catch {
            return .failure(error)
        }
    }

    @inlinable
    func keep(_ value: Value, at place: Int) {
        state.withLock { $0.values[place] = value }
    }

    @inlinable
    func suspend(_ child: InnerFuture<Value>, at place: Int) {
        state.withLock { $0.suspended.append((place, child)) }
    }

    @inlinable
    func takeNext(_ place: inout Int) -> ResponseFuture<Value>? {
        let (next, remainingCount) = state.withLock { ($0.futures.popLast(), $0.futures.count) }
        place = count - remainingCount - 1
        return next
    }

    @inlinable
    func takeSuspended() -> [(Int, InnerFuture<Value>)] {
        state.withLock { state in
            defer { state.suspended = [] }
            return state.suspended
        }
    }

    @inlinable
    func takeClaimed() -> ArraySlice<Result<InnerFuture<Value>, any Error>> {
        state.withLock { state in
            defer { state.claimed = [] }
            return state.claimed
        }
    }

    @inlinable
    var remainingCount: Int { state.withLock { $0.futures.count } }
}

extension JoinedChildren: SideFutures {
    @inlinable
    func claim(for receiver: any UpdateReceiver) -> [FutureStart] {
        if isSynchronous || limit != nil { return [] }
        var claimed: [Result<InnerFuture<Value>, any Error>] = []
        claimed.reserveCapacity(count)
        var starts: [FutureStart] = []
        var place = 0
        while let child = takeNext(&place) {
            var start: FutureStart?
            do {
                claimed.append(.success(try InnerFuture(claiming: consume child, for: receiver, &start)))
            } catch {
                claimed.append(.failure(error))
            }
            if let start { starts.append(start) }
        }
        state.withLock { [claimed] in $0.claimed = claimed[...] }
        return starts
    }

    @inlinable
    func cancel() {
        var place = 0
        while var child = takeNext(&place) {
            if isKnownUniquelyReferenced(&child) { child.cancelFromAbove() }
        }
    }
}
