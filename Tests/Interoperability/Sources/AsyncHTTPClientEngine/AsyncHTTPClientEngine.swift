public import AsyncHTTPClient
import NIOConcurrencyHelpers
import NIOCore
public import NIOHTTPCompression
public import PiuPiu

/// An engine over async-http-client.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(engine: AsyncHTTPClientEngine())
/// ```
///
/// Bodies are sent while they come, and a slow reader of a stream holds the server up.
public final class AsyncHTTPClientEngine: TransferEngine {
    private struct State {
        var isInvalid = false
        var exchanges: [ObjectIdentifier: Exchange] = [:]
    }

    let client: HTTPClient
    private let state = NIOLockedValueBox(State())

    /// Makes an engine with a client of its own.
    ///
    /// - Parameter configuration: that of the client. Redirects are the dispatcher's business, and a connection that can't
    ///   be made is an error at once.
    public init(configuration: HTTPClient.Configuration = .init(decompression: .enabled(limit: .none))) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(configuration: configuration)
    }

    deinit {
        // Closes the connections, and keeps the client until that is done. There is nobody to tell of an error.
        client.shutdown { _ in }
    }

    /// Starts one exchange.
    public func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let exchange = Exchange(request, onEvent: onEvent)
        let isInvalid = state.withLockedValue { state in
            if !state.isInvalid { state.exchanges[ObjectIdentifier(exchange)] = exchange }
            return state.isInvalid
        }
        exchange.start(on: isInvalid ? nil : self)
        return exchange
    }

    /// Lets the running exchanges come to their end.
    public func finishTasksAndInvalidate() {
        state.withLockedValue { $0.isInvalid = true }
    }

    /// Cancels the running exchanges.
    public func invalidateAndCancel() {
        finishTasksAndInvalidate()
        for exchange in running { exchange.cancel() }
    }

    /// An exchange is over.
    func remove(_ exchange: Exchange) {
        state.withLockedValue { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    private var running: [Exchange] { state.withLockedValue { Array($0.exchanges.values) } }
}
