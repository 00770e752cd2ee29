/// Futures that the work of a link has started side by side: it gets their ends one after the other, and of their updates
/// those that are wanted.
///
/// None of them has a task here, so none that doesn't notice its cancellation keeps the work from its end (contract rule
/// PROMPT).
final class ParallelFutures: OutcomeObserver {
    /// Which future has ended, and how.
    typealias Ending = (place: Int, outcome: FutureRun.Outcome)

    private typealias Waiter = CheckedContinuation<Ending?, Never>

    private struct State: Sendable {
        var count = 0
        /// Those that go on.
        var tokens: [Int: Token] = [:]
        /// Ends that nobody has asked for yet.
        var endings: [Ending] = []
        var ended: Set<Int> = []
        var waiter: Waiter?
        var isOver = false

        mutating func begin() -> Int {
            defer { count += 1 }
            return count
        }

        /// Takes charge of a token; false if it is too late.
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

        /// Somebody waits for the next end. Returns them, with what there is already.
        mutating func wait(_ waiter: Waiter) -> (Waiter, Ending?)? {
            if isOver { return (waiter, nil) }
            self.waiter = waiter
            return serve()
        }

        /// Who waits, with what there is for them.
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
    ///   - isWanted: whether an update of the future at a place is to be one of the link; called under a lock.
    init(for run: FutureRun, isWanted: @escaping @Sendable (_ update: TransferUpdate, _ place: Int) -> Bool) {
        self.run = run
        self.isWanted = isWanted
    }

    /// Starts a future, with the priority and the task-local values of the caller (contract rules INTEREST and INHERIT).
    ///
    /// - Returns: its place, from 0.
    func start(_ future: AnyResponseFuture) -> Int {
        let place = state.withLock { $0.begin() }
        let other = future.run
        switch other.join(below: ObservedPart(self, place)) {
        case .settled(let outcome):
            _ = didSettle(place, with: outcome)
        case .wait(let id) where other.dependsOn(run):
            other.leave(id)
            _ = didSettle(place, with: .failure(FutureError.waitsForItself))
        case .wait(let id):
            if hold(Token(run: other, id: id), for: place) { other.escalateToCurrentTask() }
        case .launch(let id):
            if hold(Token(run: other, id: id), for: place), future.claimForRun() { future.launch() }
        }
        return place
    }

    /// Suspends until another one has ended; `nil` if the task was cancelled, or all were given up.
    func next() async -> Ending? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                resume(state.withLock { $0.wait(waiter) })
            }
        } onCancel: {
            giveUp()
        }
    }

    /// Gives up one: it is cancelled, unless others want it.
    func giveUp(_ place: Int) {
        guard let token = state.withLock({ $0.tokens.removeValue(forKey: place) }) else { return }
        run.drop(token.id, for: token.run)
        token.run.leave(token.id)
    }

    /// Gives up all that go on, and the ends that nobody has asked for.
    func giveUp() {
        let (tokens, waiter, endings) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.tokens.values, state.waiter, state.endings)
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

    // MARK: What the futures tell

    var updateReceiver: FutureRun? { run }

    func wants(_ update: TransferUpdate, from place: Int) -> Bool { isWanted(update, place) }

    func didSettle(_ place: Int, with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] {
        if let token = state.withLock({ $0.end((place, outcome)) }) { run.drop(token.id, for: token.run) }
        return []
    }

    func resumeWaiters() {
        resume(state.withLock { $0.serve() })
    }

    private func resume(_ served: (waiter: Waiter, ending: Ending?)?) {
        served?.waiter.resume(returning: served?.ending)
    }
}
