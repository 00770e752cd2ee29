public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The dispatcher that sends requests to the server of a ``ServerProvider``.
///
/// ```swift
/// let dispatcher = NetworkDispatcher(serverProvider: self)
/// dispatcher.future(from: request).response({ response in … }).send()
/// ```
///
/// Its futures end on the main actor. They retain the dispatcher; the dispatcher holds the provider weakly.
open class NetworkDispatcher: Dispatcher {
    private struct Provider: Sendable {
        weak var current: (any ServerProvider)?
    }

    /// The default of all dispatchers. They share one session, and its connections outlive them.
    private static let sharedDispatcher = URLRequestDispatcher()

    private let provider: Locked<Provider>
    private let dispatcher: any DataDispatcher

    /// Makes a dispatcher.
    ///
    /// - Parameter serverProvider: gives the base URL each time a future is sent; held weakly.
    public init(serverProvider: any ServerProvider) {
        provider = Locked(Provider(current: serverProvider))
        dispatcher = Self.sharedDispatcher
    }

    /// Makes a dispatcher over one of PiuPiu: for your own configuration, adapters, retries or mock.
    public init(serverProvider: any ServerProvider, dispatcher: any DataDispatcher) {
        provider = Locked(Provider(current: serverProvider))
        self.dispatcher = dispatcher
    }

    /// The provider of the base URL; `nil` after it was released.
    public var serverProvider: (any ServerProvider)? {
        get { provider.withLock { $0.current } }
        set { provider.withLock { $0.current = newValue } }
    }

    /// A future of the server's response, whatever its status: see ``Response/error``.
    ///
    /// It fails with ``RequestError/missingServerProvider`` if the provider was released, with
    /// ``RequestError/invalidURL(cause:)`` if no URL can be made, with PiuPiu's `InvalidRequestError` for a header that
    /// can't be sent, such as one with a line break, and with ``ResponseError/unknown(cause:)`` if there is no
    /// response. The cause is the `URLError` of `URLSession`, if there is one.
    open func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(actionInRun: { future, run in
            MainContext.run {
                do {
                    guard let serverProvider = self.serverProvider else { throw RequestError.missingServerProvider }
                    let urlRequest = try serverProvider.urlRequest(from: request)
                    future.deliver(urlRequest, through: self.dispatcher, inRun: run)
                } catch {
                    future.core.settle(.error(error), ofRun: run)
                }
            }
        })
    }
}

// Sound: its state is immutable, or behind a lock. The compiler can't check an open class, as subclasses may add state.
// Only for clients in the Swift 6 mode, as for ``MockDispatcher``.
@available(swift 6)
extension NetworkDispatcher: @unchecked Sendable {}
