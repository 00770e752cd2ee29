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
/// It holds the dispatcher, and the provider weakly: as in PiuPiu 1.x, that is usually the owner of the serializer. A
/// provider that is gone by the time a future starts is an error of that future.
public struct RequestSerializer: Sendable {
    private struct Parts: Sendable {
        var dispatcher: any DataDispatcher
        weak var provider: (any ServerProvider)?
    }

    private let parts: Locked<Parts>

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - dispatcher: what sends the requests.
    ///   - serverProvider: what is asked for the base URL, each time a future starts; held weakly.
    public init(dispatcher: any DataDispatcher, serverProvider: any ServerProvider) {
        parts = Locked(Parts(dispatcher: dispatcher, provider: serverProvider))
    }

    // The setters reach every copy, as those of the class of PiuPiu 1.x reached every holder.

    /// What sends the requests.
    public var dispatcher: any DataDispatcher {
        get { parts.withLock { $0.dispatcher } }
        @available(*, deprecated, message: "Make another serializer, with the other dispatcher.")
        nonmutating set { parts.release { exchange(&$0.dispatcher, with: newValue) } }
    }

    /// What is asked for the base URL, if it is still there.
    public var serverProvider: (any ServerProvider)? {
        get { parts.withLock { $0.provider } }
        @available(*, deprecated, message: "Make another serializer, with the other provider.")
        nonmutating set { parts.withLock { $0.provider = newValue } }
    }

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
        dispatcher.dataFuture(file: file, line: line) { [self] in
            guard let request = try callback() else { return nil }
            guard let provider = serverProvider else { throw RequestError.missingServerProvider }
            guard let baseURL = provider.baseURL else { throw RequestError.missingURL }
            return try request.urlRequest(withBaseURL: baseURL)
        }
    }
}
