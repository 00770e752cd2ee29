import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The work of a future in which an exchange is carried out, without a future of its own.
///
/// A policy is a future around a future, and each of these costs some microseconds. The policies of this package do
/// their work inside that of the outermost one instead, if the dispatcher below can do so, too: see
/// ``InlineDispatcher``.
struct InlineWork: Sendable {
    /// The run of the future, which gets the updates.
    let run: FutureRun

    /// Cancels the exchange without the rest of that work.
    var cancellation: PartialCancellation?

    /// Whether the observation, the credential and the hedge in the ``PolicyContext`` are known to be of this exchange.
    var isInOwnContext = false

    init(_ run: FutureRun) {
        self.run = run
    }
}

/// A dispatcher that can carry out an exchange inside the work of another future.
protocol InlineDispatcher: Sendable {
    /// Whether an exchange ends as soon as it is cancelled: it awaits no user code, such as an adapter.
    var endsPromptly: Bool { get }

    /// The policies on it that are carried out together with those above, and the dispatcher below them.
    var stack: PolicyStack<Data?> { get }

    /// The response to a request for data; with a body, to an upload. Throws what the future of the same exchange fails
    /// with.
    func response(to urlRequest: URLRequest, body: TransferBody?, in work: InlineWork) async throws -> Response<Data?>
}

/// A policy that can do its work inside that of somebody else's future.
protocol InlinePolicy: DispatcherPolicy {
    /// Whether it ends as soon as the exchange below it does.
    var endsPromptly: Bool { get }

    /// The response that the future of the same exchange would have.
    func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content>
}

extension InlinePolicy {
    /// A future of an exchange with this policy's work.
    func makeFuture<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        ResponseFuture(parent: nil) { [self] (_: AnyResponseFuture, run: FutureRun) async throws in
            try Task.checkCancellation()
            run.beginTransfer()
            return TypedFutureValue(try await response(of: exchange, in: InlineWork(run)))
        }
    }
}
