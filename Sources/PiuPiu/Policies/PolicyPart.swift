import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An exchange on its way down, as the policies above have left it.
struct PolicyAttempt: Sendable {
    var urlRequest: URLRequest
    var body: TransferBody
    let kind: ExchangeKind
    var context: PolicyContext
    var work: InlineWork

    /// Whether what is below ends as soon as it is cancelled.
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

/// The part of one policy in one exchange: what it does before and after what is below it.
///
/// This one does nothing; the policies have subclasses.
class PolicyPart<Content: Sendable> {
    typealias Outcome = Result<Response<Content>, any Error>

    /// What follows the end of what is below.
    enum Turn {
        /// The exchange is over for this policy.
        case over
        /// What is below begins anew after a wait.
        case again(after: Duration, by: any Clock<Duration>)
    }

    /// What follows a wait.
    enum NewTurn {
        case attempt(PolicyAttempt)
        case outcome(Outcome)
    }

    init() {}

    /// What is below has ended.
    ///
    /// - Parameter outcome: what has come of it, for this policy to change; of a task that was cancelled a cancellation.
    func end(with outcome: inout Outcome) -> Turn { .over }

    /// The wait is over, and what is below is about to begin anew.
    ///
    /// - Returns: the exchange to go on with, or the outcome if it can't begin again. Throws if it must not.
    func beginAgain() throws -> NewTurn { .outcome(.failure(CancellationError())) }
}

/// A policy that acts before and after what is below it, and so needs no part of the call stack for itself.
protocol PartPolicy: InlinePolicy {
    /// Begins its part in an exchange.
    ///
    /// - Parameter attempt: the exchange, for this policy to change.
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

    // Not inlined: the frames of functions that suspend are on the heap, and are to be small.
    @inline(never)
    private func begin<Content: Sendable>(
        _ exchange: PendingExchange<Content>, in work: InlineWork
    ) throws -> PolicyCourse<Content>? {
        var attempt = PolicyAttempt(exchange, in: work)
        return try begin(&attempt).map { PolicyCourse(exchange, attempt, under: $0) }
    }
}
