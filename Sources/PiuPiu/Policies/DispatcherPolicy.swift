/// What stands between a caller and a dispatcher, for exchanges of all four kinds: a retry, a deadline, a signature.
///
/// ```swift
/// struct Numbering: DispatcherPolicy {
///     func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
///         var request = exchange.urlRequest
///         request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-ID")
///         return exchange.makeFuture(from: request)
///     }
/// }
///
/// let dispatcher = URLRequestDispatcher().applying(Numbering())
/// ```
///
/// The policies of the package keep the rules of <doc:Contract>. A policy sees the request as it was asked for, before
/// any ``RequestAdapter``, and the response as the caller gets it. It works over every dispatcher: the network's, a
/// mock, a recorder, one of yours, another policy. What it makes of an exchange is made with the operators of futures:
/// a `timeout`, a `recover`, a `race` of two.
///
/// For a change of the request alone a ``RequestAdapter`` is enough; it stands below all policies.
public protocol DispatcherPolicy: Sendable {
    /// A future of the response to this exchange.
    ///
    /// Called once for each future that is asked of the dispatcher, where the caller is; nothing may be sent before that
    /// future is started (contract rule COLD), so do the work in the future.
    ///
    /// - Parameter exchange: what is asked for; ``PendingExchange/makeFuture()`` makes a future of it, each time a new one.
    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>>
}
