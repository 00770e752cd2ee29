/// The decisions on the credential of an ``Authenticator``: which one there is, and when it is refreshed.
///
/// A pure value that takes what happens and answers what is to be done; ``CredentialStore`` and ``AuthenticationRun``
/// carry it out.
package struct CredentialCourse<Credential: Sendable>: Sendable {
    /// What requests are sent with.
    package enum Holding: Sendable {
        /// There is none, and requests are sent as they are.
        case none
        /// There is none yet, and one is got before the first request.
        case wanted
        case held(Credential)
    }

    /// How many refreshes there may be in a time (rule BOUND).
    package struct Bound: Sendable {
        package var count: Int
        package var period: Duration

        package init(count: Int, period: Duration) {
            self.count = count
            self.period = period
        }
    }

    /// One refresh, and the generation of the credential that it is to follow.
    package struct Refresh: Sendable, Equatable {
        package let id: Int
        package let generation: Int
    }

    /// What a request does.
    package enum Step: Sendable {
        /// It is sent with what is held.
        case send
        /// It waits for the refresh that runs.
        case wait
        /// Its response is the outcome.
        case deliver
        /// It ends with the error of a refresh.
        case fail(any Error)
        /// It ends, as there were too many refreshes.
        case refuse
    }

    /// What is to be done.
    package struct Answer: Sendable {
        package let step: Step
        /// A refresh that begins with it.
        package var refresh: Refresh?
    }

    /// What has changed.
    package enum Change: Sendable {
        case nothing
        /// There is another credential: nobody waits any longer.
        case replaced
        /// There is none any more: those who wait end with that.
        case removed
        /// The refresh has failed, and with it those who wait.
        case failed(any Error)
    }

    package private(set) var holding: Holding

    /// Goes up with each change of the credential (rule GENERATION).
    package private(set) var generation = 0

    /// How many refreshes have failed. A request notes it when it begins: later failures concern it (rule FAILED).
    package private(set) var failureCount = 0

    private var refresh: Refresh?
    private var lastID = 0
    private var failure: (generation: Int, number: Int, error: any Error)?
    /// What is older than the last sign-out isn't sent again with what came after it.
    private var lastRemoval = 0
    /// When the last refreshes began.
    private var beginnings: [Duration] = []

    package init(_ holding: Holding) {
        self.holding = holding
    }

    /// What is held, if anything is.
    package var credential: Credential? { if case .held(let credential) = holding { credential } else { nil } }

    /// A request begins.
    ///
    /// - Parameters:
    ///   - expired: the generation of the credential that is about to expire, if it is (rule EARLY).
    ///   - now: the time since some instant.
    package mutating func begin(expired: Int?, within bound: Bound, now: Duration) -> Answer {
        if refresh != nil { return Answer(step: .wait) }
        switch holding {
        case .none: return Answer(step: .send)
        case .wanted: return beginRefresh(within: bound, now: now) ?? Answer(step: .refuse)
        case .held:
            // Where it may not be refreshed the server shall decide: clocks can be wrong.
            let early = expired == generation ? beginRefresh(within: bound, now: now) : nil
            return early ?? Answer(step: .send)
        }
    }

    /// A request was rejected that is sent again at most once (rule ONCE).
    ///
    /// - Parameters:
    ///   - sent: the generation of what it was sent with.
    ///   - failures: the ``failureCount`` when it began.
    ///   - canSendAgain: whether its body can be sent again. If not, there is a refresh for those that follow.
    package mutating func reject(
        sent: Int, failures: Int, canSendAgain: Bool, within bound: Bound, now: Duration
    ) -> Answer {
        guard case .held = holding else { return Answer(step: .deliver) }
        guard sent == generation else { return Answer(step: canSendAgain && sent >= lastRemoval ? .send : .deliver) }
        if refresh != nil { return Answer(step: canSendAgain ? .wait : .deliver) }
        if let failure, failure.generation == generation, failure.number > failures {
            return Answer(step: canSendAgain ? .fail(failure.error) : .deliver)
        }
        let refreshing = beginRefresh(within: bound, now: now)
        guard canSendAgain else { return Answer(step: .deliver, refresh: refreshing?.refresh) }
        return refreshing ?? Answer(step: .refuse)
    }

    /// A refresh has ended, or is out of time. One that isn't waited for any more may still bring a credential, as long as
    /// there was no other (rules SURVIVE and SESSION).
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

    /// The user signs in, or out with `nil` (rule SESSION).
    package mutating func replace(with credential: Credential?) -> Change {
        become(credential.map(Holding.held) ?? .none)
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

    /// Begins a refresh and waits for it; `nil` if there were too many.
    private mutating func beginRefresh(within bound: Bound, now: Duration) -> Answer? {
        beginnings.removeAll { now - $0 >= bound.period }
        guard beginnings.count < bound.count else { return nil }
        beginnings.append(now)
        lastID += 1
        let begun = Refresh(id: lastID, generation: generation)
        refresh = begun
        return Answer(step: .wait, refresh: begun)
    }
}
