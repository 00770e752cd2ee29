public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends ``Request``s: asks a ``ServerProvider`` for the base URL, and hands what comes of both to a dispatcher.
///
/// ```swift
/// let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: environment)
/// let post = serializer.dataFuture(from: PostRequest(id: 7)).decoded(Post.self)
/// ```
///
/// A value, which holds the dispatcher, and the provider weakly: as in PiuPiu 1.x, that is usually whoever owns the
/// serializer. A provider that is gone by the time a future starts is an error of that future.
public struct RequestSerializer: Sendable {
    /// What sends the requests.
    public let dispatcher: any DataDispatcher

    private let provider: WeakServerProvider

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - dispatcher: what sends the requests.
    ///   - serverProvider: what is asked for the base URL, each time a future starts; held weakly.
    public init(dispatcher: any DataDispatcher, serverProvider: any ServerProvider) {
        self.dispatcher = dispatcher
        provider = WeakServerProvider(serverProvider)
    }

    /// What is asked for the base URL, if it is still there.
    public var serverProvider: (any ServerProvider)? { provider.current }

    /// A future of the response to this request.
    ///
    /// The request is built when the future is started, on the thread that calls `send()` or awaits. The future fails with
    /// ``RequestError/missingServerProvider`` if the provider is gone, with ``RequestError/missingURL`` if it has no
    /// base URL, and with what `urlRequest(withBaseURL:)` throws.
    public func dataFuture(
        from request: any Request, file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> {
        dataFuture(file: file, line: line) { request }
    }

    /// A future of the response to a request that is made when the future is started.
    ///
    /// - Parameters:
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits; `nil` cancels the future, and
    ///     what it throws fails it.
    @preconcurrency
    public func dataFuture(
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> (any Request)?
    ) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(file: file, line: line) { [provider] in
            guard let request = try callback() else { return nil }
            guard let provider = provider.current else { throw RequestError.missingServerProvider }
            guard let baseURL = provider.baseURL else { throw RequestError.missingURL }
            return try request.urlRequest(withBaseURL: baseURL)
        }
    }
}

/// A weak reference to a provider.
private struct WeakServerProvider: Sendable {
    private struct Reference: Sendable {
        weak var provider: (any ServerProvider)?
    }

    private let reference: Locked<Reference>

    init(_ provider: any ServerProvider) {
        reference = Locked(Reference(provider: provider))
    }

    var current: (any ServerProvider)? { reference.withLock { $0.provider } }
}
