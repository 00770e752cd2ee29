/// The credential that the copies of an ``Authenticator`` share, and its refresh: carries out the decisions of a
/// ``CredentialCourse``.
final class CredentialStore<Credential: Sendable>: Sendable {
    typealias Course = CredentialCourse<Credential>

    /// The credential that a request is sent with.
    struct Issued: Sendable {
        let generation: Int
        let credential: Credential?

        /// `nil` if there is no credential: what is sent without one belongs to no user.
        var generationOfCredential: Int? { credential == nil ? nil : generation }
    }

    /// What a request does.
    enum Directive: Sendable {
        case send(Issued)
        /// It waits for a refresh of the credential of this generation.
        case wait(ResponseFuture<Void>, of: Int)
        case deliver
    }

    /// A refresh, and the future that waiting requests await.
    private struct Running: Sendable {
        let refresh: Course.Refresh
        let future: ResponseFuture<Void>
        let promise: ResponseFuture<Void>
        var timer: Task<Void, Never>?

        init(_ refresh: Course.Refresh, _ prepared: Prepared) {
            self.refresh = refresh
            (future, promise) = (prepared.future, prepared.promise)
        }
    }

    /// The future of a refresh that may begin. It is made outside the lock.
    private struct Prepared: Sendable {
        let future: ResponseFuture<Void>
        let promise: ResponseFuture<Void>

        init() {
            (future, promise) = ResponseFuture<Void>.pending()
            // Sent before anybody can await it, so that it doesn't end with its awaiters (rule SURVIVE).
            future.send()
        }
    }

    private struct Decision: Sendable {
        let step: Course.Step
        let issued: Issued
        let running: Running?
        let isNew: Bool
    }

    private struct State: Sendable {
        var course: Course
        var running: Running?
        var observers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastObserver = 0

        var issued: Issued { Issued(generation: course.generation, credential: course.credential) }

        /// Carries out a decision; changes nothing and returns `nil` if it begins a refresh and none is prepared.
        mutating func decide(_ decision: (inout Course) -> Course.Answer, _ prepared: Prepared?) -> Decision? {
            var next = course
            let answer = decision(&next)
            if let refresh = answer.refresh {
                guard let prepared else { return nil }
                running = Running(refresh, prepared)
            }
            course = next
            return Decision(step: answer.step, issued: issued, running: running, isNew: answer.refresh != nil)
        }
    }

    private let state: Locked<State>
    private let stopwatch: Stopwatch

    init(_ holding: Course.Holding, clock: any Clock<Duration>) {
        state = Locked(State(course: Course(holding)))
        stopwatch = Stopwatch(clock)
    }

    /// The credential for a request that begins now, if it doesn't have to wait.
    var issued: Issued { state.withLock { $0.issued } }

    /// The credential for a request that has waited; `nil` if the user has signed out since a generation.
    func issued(since generation: Int) -> Issued? {
        state.withLock { $0.course.wasRemoved(since: generation) ? nil : $0.issued }
    }

    /// How many refreshes have failed so far.
    var failureCount: Int { state.withLock { $0.course.failureCount } }

    /// A request begins.
    func begin(
        since first: Int?, asksServer: Bool, for authenticator: Authenticator<Credential>
    ) throws -> Directive {
        let now = stopwatch.elapsed, expired = authenticator.expiredGeneration
        return try decide(for: authenticator) {
            $0.begin(
                since: first, expired: expired, asksServer: asksServer, within: authenticator.bound, now: now)
        }
    }

    /// A request was rejected.
    func reject(
        _ sent: Issued, failures: Int, canSendAgain: Bool, for authenticator: Authenticator<Credential>
    ) throws -> Directive {
        let now = stopwatch.elapsed
        return try decide(for: authenticator) {
            $0.reject(
                sent: sent.generation, failures: failures, canSendAgain: canSendAgain, within: authenticator.bound,
                now: now)
        }
    }

    /// The user signs in, or with `nil` signs out.
    func replace(with credential: Credential?, origin: String) {
        change(origin) { $0.replace(with: credential) }
    }

    /// Signals after each change; the newest is kept for a busy observer.
    func signals() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = state.withLock { state in
                state.lastObserver += 1
                state.observers[state.lastObserver] = continuation
                return state.lastObserver
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.release { $0.observers.removeValue(forKey: id) }
            }
        }
    }

    private func decide(
        for authenticator: Authenticator<Credential>, _ decision: (inout Course) -> Course.Answer
    ) throws -> Directive {
        let decided = decide(decision), issued = decided.issued, running = decided.running
        if decided.isNew, let running, let refresh = authenticator.refresh {
            start(running, of: authenticator) { try await refresh(issued.credential) }
        }
        switch decided.step {
        case .send: return .send(issued)
        case .wait: return running.map { .wait($0.future, of: issued.generation) } ?? .send(issued)
        case .deliver: return .deliver
        case .fail(let error): throw error
        case .refuse: throw authenticator.tooManyRefreshes
        case .giveUp: throw authenticator.credentialRemoved
        }
    }

    private func decide(_ decision: (inout Course) -> Course.Answer) -> Decision {
        var prepared: Prepared?
        // Twice at most. If another request has begun a refresh meanwhile, the prepared one is dropped.
        while true {
            if let decided = state.withLock({ $0.decide(decision, prepared) }) { return decided }
            prepared = Prepared()
        }
    }

    /// Starts the refresh, which belongs to no request: it has neither the cancellation nor the task-local values, such
    /// as the deadline, of the task that first needs it. Its priority is the highest of its awaiters.
    ///
    /// - Parameter renew: gets the new credential.
    private func start(
        _ running: Running, of authenticator: Authenticator<Credential>,
        by renew: @escaping @Sendable () async throws -> Credential
    ) {
        let scope = RefreshScope(of: self), refresh = running.refresh, origin = authenticator.originText
        let work = Task.detached(priority: Task.currentPriority) {
            let result = await scope.result { try await renew() }
            self.change(origin) { $0.end(refresh, with: result) }
        }
        running.future.run.adopt(work)
        let timer = Task.detached(priority: Task.currentPriority) {
            do { try await authenticator.clock.sleep(latency: authenticator.timeLimit) } catch { return }
            self.change(origin) { $0.end(refresh, with: .failure(authenticator.refreshTimedOut)) }
        }
        let isOver = state.withLock { state in
            guard state.running?.refresh == refresh else { return true }
            state.running?.timer = timer
            return false
        }
        if isOver { timer.cancel() }
    }

    /// Changes the credential, and notifies waiting requests and observers.
    private func change(_ origin: String, _ body: (inout Course) -> Course.Change) {
        let (change, running, observers, old) = state.withLock { state in
            let old = state.course
            let change = body(&state.course)
            guard change.isChange else { return (change, Running?.none, [AsyncStream<Void>.Continuation](), old) }
            defer { state.running = nil }
            return (change, state.running, Array(state.observers.values), old)
        }
        running?.timer?.cancel()
        switch change {
        case .nothing: break
        case .replaced: running?.promise.succeed(with: ())
        case .removed: running?.promise.fail(with: AuthenticationError.credentialRemoved(origin: origin))
        case .failed(let error): running?.promise.fail(with: error)
        }
        for observer in observers { observer.yield() }
        // Values that the course has dropped are released here, outside the lock.
        withExtendedLifetime(old) {}
    }
}

extension CredentialCourse.Change {
    fileprivate var isChange: Bool { if case .nothing = self { false } else { true } }
}
