/// A layer between a caller and a dispatcher, for exchanges of all four kinds: a retry, a deadline, a signature.
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
/// The policies of the package keep the rules of <doc:Contract>. A policy sees the caller's request, before any
/// ``RequestAdapter``, and the response that the caller gets. It works over every dispatcher: the network's, a mock, a
/// recorder, one of yours, another policy. It uses the operators of futures: a `timeout`, a `recover`, a `race` of two.
///
/// A policy may send another request than the caller's by ``PendingExchange/makeFuture(from:)``, also with another URL
/// or method, and another body of an upload by ``PendingExchange/makeFuture(from:with:)``. The policies around it and
/// those inside it still count it as the same exchange.
///
/// To change only the request, a ``RequestAdapter`` is enough: see ``Dispatching/adapting(requestAdapter:responseAdapter:)``.
public protocol DispatcherPolicy: Sendable {
    /// A future of the response to this exchange.
    ///
    /// Called once for each future that the dispatcher makes, in the caller's context. Nothing may be sent before that
    /// future is started (contract rule COLD), so do the work in the future.
    ///
    /// - Parameter exchange: the exchange; ``PendingExchange/makeFuture()`` makes a new future of it with each call.
    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>>
}
