import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Adapts the requests and the heads of the responses of any dispatcher: a mock, a recorder, one with other policies.
///
/// ```swift
/// let dispatcher = mock.adapting(requestAdapter: .headers(["X-App": "Blog/2.1"]))
/// ```
///
/// ``Dispatching/adapting(requestAdapter:responseAdapter:)`` makes one. A ``URLRequestDispatcher`` has a method of that
/// name, whose adapters run below all policies.
///
/// The adapters run where the policy is applied: around a ``RetryPolicy`` once, inside of one for each attempt. Of
/// several such policies the outermost adapts a request first, and a response last. The adapted request is still the
/// same exchange for the policies around this one and inside it, also with another method or URL. It is the one that is
/// sent, and that the response names (contract rule ADAPT of <doc:Contract>).
///
/// - **Requests**: the body of an upload stays as it is. Everything else is sent with the body of the adapted request.
/// - **Responses**: an adapter gets the head and the answered request. It runs before the body of a stream is
///   delivered, and after a download has its file, which it no longer affects.
///
/// Adapters run off the main actor, as parts of the future's work. An error that one throws fails the future, and a
/// `CancellationError` cancels it. A cancelled future ends at once, whether or not its adapter notices (contract rule
/// PROMPT), and sends nothing after that. Without adapters the policy does nothing.
public struct AdapterPolicy: DispatcherPolicy, InlinePolicy {
    private let requestAdapter: (any RequestAdapter)?
    private let responseAdapter: (any ResponseAdapter)?

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - requestAdapter: changes each request before the policies and the dispatcher inside get it.
    ///   - responseAdapter: changes the head of each response before the policies outside and the caller see it.
    public init(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) {
        self.requestAdapter = requestAdapter
        self.responseAdapter = responseAdapter
    }

    /// A future of the exchange, adapted.
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        guard hasAdapters else { return exchange.makeFuture() }
        return makeFuture(of: exchange)
    }

    func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        let response = try await answer(to: exchange, in: work)
        guard responseAdapter != nil else { return response }
        let head = try await adaptedHead(of: response, in: exchange)
        return Response(data: response.data, urlRequest: response.urlRequest, head: head)
    }

    // An adapter may not notice a cancellation.
    var endsPromptly: Bool { !hasAdapters }

    private var hasAdapters: Bool { requestAdapter != nil || responseAdapter != nil }

    /// The response to the adapted request.
    private func answer<Content: Sendable>(
        to exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        guard let requestAdapter else { return try await exchange.response(in: work) }
        let request = try await ExchangeObservation.carryOut(exchange.urlRequest) {
            try await PolicyContext.inAdapter { try await requestAdapter.adapt(exchange.urlRequest) }
        }
        // Only an upload has a body beside its request.
        let body = exchange.kind == .upload ? exchange.body : TransferBody(of: request)
        return try await exchange.response(to: request, with: body, in: work)
    }

    private func adaptedHead<Content: Sendable>(
        of response: Response<Content>, in exchange: PendingExchange<Content>
    ) async throws -> TransferHead {
        try await withTaskCancellationHandler {
            try await ExchangeObservation.carryOut(exchange.urlRequest) {
                try await responseAdapter.adapt(response.head, for: response.urlRequest)
            }
        } onCancel: {
            // The adapter may not notice, and the transfer goes on meanwhile.
            if exchange.kind == .stream { (response.data as? StreamedBody)?.buffer.cancel() }
        }
    }
}

extension AdapterPolicy: CustomStringConvertible, CustomReflectable {
    /// The types of the adapters: "AdapterPolicy(Token)".
    public var description: String {
        let adapters: [Any?] = [requestAdapter, responseAdapter]
        let names = adapters.compactMap(\.self).map { readableName(of: type(of: $0)) }
        return "AdapterPolicy(\(names.joined(separator: ", ")))"
    }

    /// Empty: the contents may include secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
