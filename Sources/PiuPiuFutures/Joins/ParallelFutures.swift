/// Futures that the work of a link has started concurrently: it gets their outcomes one after the other, and selected
/// updates.
///
/// None of them has a task here, so a future that doesn't notice its cancellation can't keep the work from ending
/// (contract rule PROMPT).
package final class ParallelFutures: OutcomeObserver {
    /// The place of an ended future, and its outcome.
    package typealias Ending = (place: Int, outcome: FutureRun.Outcome)

    private typealias Waiter = CheckedContinuation<Ending?, Never>

    private struct State: Sendable {
        var count = 0
        /// The tokens of the running futures.
        var tokens: [Int: Token] = [:]
        /// Outcomes that have not been asked for yet.
        var endings: [Ending] = []
        var ended: Set<Int> = []
        var waiter: Waiter?
        var isOver = false

        mutating func begin() -> Int {
            defer { count += 1 }
            return count
        }

        /// Registers a token; false if it is too late.
        mutating func hold(_ token: Token, for place: Int) -> Bool {
            guard !isOver, !ended.contains(place) else { return false }
            tokens[place] = token
            return true
        }

        /// A future has ended. Returns its token.
        mutating func end(_ ending: Ending) -> Token? {
            guard !isOver, ended.insert(ending.place).inserted else { return nil }
            endings.append(ending)
            return tokens.removeValue(forKey: ending.place)
        }

        /// Registers a waiter for the next outcome. Returns it if there is an outcome already.
        mutating func wait(_ waiter: Waiter) -> (Waiter, Ending?)? {
            if isOver { return (waiter, nil) }
            self.waiter = waiter
            return serve()
        }

        /// The waiter and the next outcome, if there are both.
        mutating func serve() -> (Waiter, Ending?)? {
            guard !endings.isEmpty, let waiter else { return nil }
            self.waiter = nil
            return (waiter, endings.removeFirst())
        }
    }

    private let run: FutureRun
    private let isWanted: @Sendable (_ update: TransferUpdate, _ place: Int) -> Bool
    private let state = Locked(State())

    /// - Parameters:
    ///   - run: the run of the link.
    ///   - isWanted: whether an update of the future at a place is passed on to the link; called under a lock.
    package init(for run: FutureRun, isWanted: @escaping @Sendable (_ update: TransferUpdate, _ place: Int) -> Bool) {
        self.run = run
        self.isWanted = isWanted
    }

    /// Starts a future with the priority and task-local values of the caller (contract rules INTEREST and INHERIT).
    ///
    /// - Returns: its place, from 0.
    package func start(_ future: AnyResponseFuture) -> Int {
        let place = state.withLock { $0.begin() }
        let other = future.run
        switch other.join(below: .part(ObservedPart(self, place))) {
        case .settled(let outcome):
            _ = didSettle(place, with: outcome)
        case .wait(let id):
            let isHeld = hold(Token(run: other, id: id), for: place)
            // Checked only now: see `FutureRun.wait(_:as:)`.
            if other.dependsOn(run) {
                giveUp(place)
                _ = didSettle(place, with: .failure(FutureError.waitsForItself))
            } else if isHeld {
                other.escalateToCurrentTask()
            }
        case .launch(let id):
            let isHeld = hold(Token(run: other, id: id), for: place)
            if other.dependsOn(run) {
                // The link fulfills the future, which fails with it, and isn't given up before: that would cancel it.
                _ = didSettle(place, with: .failure(FutureError.waitsForItself))
            } else if !isHeld, other.status.isComplete {
                future.disown()
            } else if future.claimForRun() {
                // Even if it is too late for this link: somebody else may wait for the future by now.
                future.launch()
            }
        }
        return place
    }

    /// Suspends until another future has ended; `nil` if the task was cancelled, or all futures were given up.
    package func next() async -> Ending? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                resume(state.withLock { $0.wait(waiter) })
            }
        } onCancel: {
            giveUp()
        }
    }

    /// Gives up one future: it is cancelled, unless somebody else is interested in it.
    package func giveUp(_ place: Int) {
        guard let token = state.withLock({ $0.tokens.removeValue(forKey: place) }) else { return }
        run.drop(token.id, for: token.run)
        token.run.leave(token.id)
    }

    /// Gives up all running futures, and the outcomes that have not been asked for.
    package func giveUp() {
        let (tokens, waiter, endings) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.tokens.sorted { $0.key < $1.key }.map(\.value), state.waiter, state.endings)
        }
        FutureRun.perform(all: tokens.compactMap { $0.giveUp() })
        waiter?.resume(returning: nil)
        withExtendedLifetime(endings) {}
    }

    private func hold(_ token: Token, for place: Int) -> Bool {
        guard run.hold(.token(token)) else {
            token.run.leave(token.id)
            return false
        }
        if state.withLock({ $0.hold(token, for: place) }) { return true }
        run.drop(token.id, for: token.run)
        token.run.leave(token.id)
        return false
    }

    // MARK: Observing the futures

    package var updateReceiver: FutureRun? { run }

    package func wants(_ update: TransferUpdate, from place: Int) -> Bool { isWanted(update, place) }

    package func didSettle(_ place: Int, with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] {
        if let token = state.withLock({ $0.end((place, outcome)) }) { run.drop(token.id, for: token.run) }
        return []
    }

    package func resumeWaiters() {
        resume(state.withLock { $0.serve() })
    }

    private func resume(_ served: (waiter: Waiter, ending: Ending?)?) {
        served?.waiter.resume(returning: served?.ending)
    }
}
