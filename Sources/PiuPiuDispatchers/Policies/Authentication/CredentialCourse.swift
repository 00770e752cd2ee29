/// The decisions about the credential of an ``Authenticator``: the current one, and when it is refreshed.
///
/// A pure value that takes events and returns what to do; ``CredentialStore`` and ``AuthenticationRun`` carry it out.
package struct CredentialCourse<Credential: Sendable>: Sendable {
    /// The credential that requests are sent with.
    package enum Holding: Sendable {
        /// There is none, and requests are sent unchanged.
        case none
        /// There is none yet; one is obtained before the first request.
        case wanted
        case held(Credential)
    }

    /// The maximum rate of refreshes (rule BOUND).
    package struct Bound: Sendable {
        package var count: Int
        package var period: Duration

        package init(count: Int, period: Duration) {
            self.count = count
            self.period = period
        }
    }

    /// One refresh, and the generation of the credential that it replaces.
    package struct Refresh: Sendable, Equatable {
        package let id: Int
        package let generation: Int
    }

    /// What a request does.
    package enum Step: Sendable {
        /// It is sent with the current credential.
        case send
        /// It waits for the running refresh.
        case wait
        /// Its response is final.
        case deliver
        /// It fails with the error of a refresh.
        case fail(any Error)
        /// It fails, because there were too many refreshes.
        case refuse
        /// It fails, because the user for whom it was sent first has signed out.
        case giveUp
    }

    /// What to do.
    package struct Answer: Sendable {
        package let step: Step
        /// The refresh to begin, if any.
        package var refresh: Refresh?
    }

    /// What has changed.
    package enum Change: Sendable {
        case nothing
        /// There is a new credential: waiting requests resume.
        case replaced
        /// The credential was removed: waiting requests fail.
        case removed
        /// The refresh has failed, and with it the waiting requests.
        case failed(any Error)
    }

    package private(set) var holding: Holding

    /// Incremented with each change of the credential (rule GENERATION).
    package private(set) var generation = 0

    /// How many refreshes have failed. A request records it when it begins: later failures affect it (rule FAILED).
    package private(set) var failureCount = 0

    private var refresh: Refresh?
    private var lastID = 0
    private var failure: (generation: Int, number: Int, error: any Error)?
    /// The generation of the last sign-out: a request sent before it, with a credential, isn't sent again with a later
    /// one.
    private var lastRemoval = 0
    /// When the recent refreshes began.
    private var beginnings: [Duration] = []

    package init(_ holding: Holding) {
        self.holding = holding
    }

    /// The current credential, if there is one.
    package var credential: Credential? { if case .held(let credential) = holding { credential } else { nil } }

    /// Whether the user has signed out since a generation.
    package func wasRemoved(since generation: Int) -> Bool { lastRemoval > generation }

    /// A request begins.
    ///
    /// - Parameters:
    ///   - first: the generation of the first credential that its exchange was sent with, if this may be another
    ///     attempt (rule SESSION).
    ///   - expired: the generation of the credential, if it is about to expire (rule EARLY).
    ///   - asksServer: whether it may ask its server. If not, any credential will do.
    ///   - bound: `nil` if there is no refresh.
    ///   - now: the time since a fixed instant.
    package mutating func begin(
        since first: Int?, expired: Int?, asksServer: Bool = true, within bound: Bound?, now: Duration
    ) -> Answer {
        if let first, wasRemoved(since: first) { return Answer(step: .giveUp) }
        if !asksServer, case .held = holding { return Answer(step: .send) }
        if refresh != nil { return Answer(step: .wait) }
        switch holding {
        case .none: return Answer(step: .send)
        case .wanted: return beginRefresh(within: bound, now: now) ?? Answer(step: .refuse)
        case .held:
            // If no refresh is allowed, the server decides, because clocks can be wrong.
            let early = expired == generation ? beginRefresh(within: bound, now: now) : nil
            return early ?? Answer(step: .send)
        }
    }

    /// A request was rejected; it is sent again at most once (rule ONCE).
    ///
    /// - Parameters:
    ///   - sent: the generation of the credential that it was sent with.
    ///   - failures: the ``failureCount`` when it began.
    ///   - canSendAgain: whether its body can be sent again. If not, there is still a refresh, for later requests.
    ///   - bound: `nil` if there is no refresh.
    package mutating func reject(
        sent: Int, failures: Int, canSendAgain: Bool, within bound: Bound?, now: Duration
    ) -> Answer {
        guard case .held = holding else { return Answer(step: .deliver) }
        guard sent == generation else {
            // Sent again like a new request: not with a credential that is being replaced.
            return canSendAgain && !wasRemoved(since: sent)
                ? begin(since: nil, expired: nil, within: bound, now: now) : Answer(step: .deliver)
        }
        guard let bound else { return Answer(step: .deliver) }
        if refresh != nil { return Answer(step: canSendAgain ? .wait : .deliver) }
        if let failure, failure.generation == generation, failure.number > failures {
            return Answer(step: canSendAgain ? .fail(failure.error) : .deliver)
        }
        let refreshing = beginRefresh(within: bound, now: now)
        guard canSendAgain else { return Answer(step: .deliver, refresh: refreshing?.refresh) }
        return refreshing ?? Answer(step: .refuse)
    }

    /// A refresh has ended, or has timed out. After its timeout it may still return a credential, which counts unless
    /// there is a newer one (rules SURVIVE and SESSION).
    package mutating func end(_ ended: Refresh, with result: Result<Credential, any Error>) -> Change {
        guard ended.generation == generation else { return .nothing }
        switch result {
        case .success(let credential):
            become(.held(credential))
            return .replaced
        case .failure(let error):
            guard ended == refresh else { return .nothing }
            refresh = nil
            failureCount += 1
            failure = (generation, failureCount, error)
            return .failed(error)
        }
    }

    /// The user signs in, or with `nil` signs out (rule SESSION).
    package mutating func replace(with credential: Credential?) -> Change {
        // Nobody has signed in, so nobody signs out. No refresh is in flight, either.
        if credential == nil, case .none = holding { return .nothing }
        become(credential.map(Holding.held) ?? .none)
        // The refreshes of an earlier session say nothing about this one.
        beginnings = []
        guard credential == nil else { return .replaced }
        lastRemoval = generation
        return .removed
    }

    private mutating func become(_ next: Holding) {
        holding = next
        generation += 1
        refresh = nil
        failure = nil
    }

    /// Begins a refresh and waits for it; `nil` if there is none, or were too many.
    private mutating func beginRefresh(within bound: Bound?, now: Duration) -> Answer? {
        guard let bound else { return nil }
        beginnings.removeAll { now - $0 >= bound.period }
        guard beginnings.count < bound.count else { return nil }
        beginnings.append(now)
        lastID += 1
        let begun = Refresh(id: lastID, generation: generation)
        refresh = begun
        return Answer(step: .wait, refresh: begun)
    }
}
