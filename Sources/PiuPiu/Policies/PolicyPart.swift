import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An exchange on its way down, with the changes of the policies above.
struct PolicyAttempt: Sendable {
    var urlRequest: URLRequest
    var body: TransferBody
    let kind: ExchangeKind
    var context: PolicyContext
    var work: InlineWork

    /// Whether everything below ends as soon as it is cancelled.
    var endsPromptly: Bool

    init<Content>(_ exchange: PendingExchange<Content>, in work: InlineWork) {
        urlRequest = exchange.urlRequest
        body = exchange.body
        kind = exchange.kind
        context = .current
        endsPromptly = exchange.endsPromptly
        self.work = work
    }
}

/// The part of one policy in one exchange: what it does before and after everything below it.
///
/// This class does nothing; each policy has a subclass.
class PolicyPart<Content: Sendable> {
    typealias Outcome = Result<Response<Content>, any Error>

    /// What the policy wants when everything below has ended.
    enum Turn {
        /// The exchange is over for this policy.
        case over
        /// Everything below begins again after a wait.
        case again(after: Duration, by: any Clock<Duration>)
    }

    /// What the policy wants after the wait.
    enum NewTurn {
        case attempt(PolicyAttempt)
        case outcome(Outcome)
    }

    /// The part of the policy around this one; a ``PolicyCourse`` sets it.
    final var above: PolicyPart?

    init() {}

    /// Everything below has ended.
    ///
    /// - Parameter outcome: its outcome, which this policy may change. In a cancelled task it is a cancellation.
    func end(with outcome: inout Outcome) -> Turn { .over }

    /// The wait is over, and everything below is about to begin again.
    ///
    /// - Returns: the exchange to continue with, or the outcome if it can't begin again. Throws if it must not.
    func beginAgain() throws -> NewTurn { .outcome(.failure(CancellationError())) }

    /// After all, nothing begins again: the wait was cancelled, or ``beginAgain()`` has returned an outcome or thrown.
    func dropTurn() {}
}

/// A policy that only acts before and after everything below it, so it needs no asynchronous function of its own.
protocol PartPolicy: InlinePolicy {
    /// Begins its part in an exchange.
    ///
    /// - Parameter attempt: the exchange, which this policy may change.
    /// - Returns: the part; `nil` if the exchange needs ``futureApart(of:)``. Throws if it must not begin.
    func begin<Content: Sendable>(_ attempt: inout PolicyAttempt) throws -> PolicyPart<Content>?

    /// A future of the exchange, with a run of its own.
    func futureApart<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>>
}

extension PartPolicy {
    func futureApart<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        future(of: exchange)
    }

    package func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        guard let course = try begin(exchange, in: work) else {
            return try await InnerFuture.value(of: futureApart(of: exchange), for: work.run).value
        }
        return try await exchange.response(by: course)
    }

    // Not inlined, to keep the frames of functions that suspend small: they are on the heap.
    @inline(never)
    private func begin<Content: Sendable>(
        _ exchange: PendingExchange<Content>, in work: InlineWork
    ) throws -> PolicyCourse<Content>? {
        var attempt = PolicyAttempt(exchange, in: work)
        return try begin(&attempt).map { PolicyCourse(exchange, attempt, under: $0) }
    }
}
