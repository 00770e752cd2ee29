public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends ``Request``s: builds them with a base URL, or with that of a ``ServerProvider``, and passes them to a dispatcher.
///
/// ```swift
/// let serializer = RequestSerializer(dispatcher: dispatcher, baseURL: baseURL)
/// let post = serializer.dataFuture(from: PostRequest(id: 7)).decoded(Post.self)
/// ```
///
/// It makes data futures. For an upload, a download or a stream, build the request with ``urlRequest(from:)`` in the
/// closure of a dispatcher's future, and for pages in their argument. For a single request the futures and the pages of
/// dispatchers take a base URL, such as ``DataDispatcher/dataFuture(from:at:file:line:)``.
///
/// It retains the dispatcher, and refers to the provider weakly: as in PiuPiu 1.x, the provider usually owns the
/// serializer. If the provider is released before a future starts, that future fails.
public struct RequestSerializer: Sendable {
    private struct Parts: Sendable {
        var dispatcher: any DataDispatcher
        weak var provider: (any ServerProvider)?
        var baseURL: URL?
    }

    private let parts: Locked<Parts>

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - dispatcher: sends the requests.
    ///   - serverProvider: gives the base URL, each time a future starts; held weakly.
    public init(dispatcher: any DataDispatcher, serverProvider: any ServerProvider) {
        parts = Locked(Parts(dispatcher: dispatcher, provider: serverProvider))
    }

    /// Makes a serializer for a server whose address doesn't change. It has no ``serverProvider``.
    ///
    /// - Parameters:
    ///   - dispatcher: sends the requests.
    ///   - baseURL: the base URL of all requests.
    public init(dispatcher: any DataDispatcher, baseURL: URL) {
        parts = Locked(Parts(dispatcher: dispatcher, baseURL: baseURL))
    }

    // The setters affect every copy, as in PiuPiu 1.x, where it was a class.

    /// The dispatcher that sends the requests.
    public var dispatcher: any DataDispatcher {
        get { parts.withLock { $0.dispatcher } }
        @available(*, deprecated, message: "Make another serializer, with the other dispatcher.")
        nonmutating set { parts.release { exchange(&$0.dispatcher, with: newValue) } }
    }

    /// The provider of the base URL; `nil` after it was released, and for a serializer with a base URL of its own, which
    /// the setter replaces.
    public var serverProvider: (any ServerProvider)? {
        get { parts.withLock { $0.provider } }
        @available(*, deprecated, message: "Make another serializer, with the other provider.")
        nonmutating set { parts.withLock { ($0.provider, $0.baseURL) = (newValue, nil) } }
    }

    /// The request as it is sent, with the base URL of the serializer, or the one that the provider has now.
    ///
    /// ```swift
    /// let feed = dispatcher.streamFuture { try serializer.urlRequest(from: FeedRequest()) }
    /// ```
    ///
    /// - Throws: ``RequestError/missingServerProvider`` if the provider was released, ``RequestError/missingURL`` if it
    ///   has no base URL, and the error of `urlRequest(withBaseURL:)`.
    public func urlRequest(from request: any Request) throws -> URLRequest {
        try request.urlRequest(withBaseURL: parts.withLock(\.baseURL) ?? providedBaseURL)
    }

    private var providedBaseURL: URL {
        get throws {
            guard let provider = serverProvider else { throw RequestError.missingServerProvider }
            guard let baseURL = provider.baseURL else { throw RequestError.missingURL }
            return baseURL
        }
    }

    /// A future of the response to this request.
    ///
    /// The request is built when the future is started, on the thread that calls `send()` or awaits. The future fails
    /// with the errors of ``urlRequest(from:)``.
    public func dataFuture(
        from request: any Request, file: String = #fileID, line: UInt = #line
    ) -> ResponseFuture<Response<Data?>> {
        dataFuture(file: file, line: line) { request }
    }

    /// A future of the response to a request that the callback makes when the future is started.
    ///
    /// - Parameters:
    ///   - file: where the future is created, for messages.
    ///   - line: where the future is created.
    ///   - callback: makes the request, once, on the thread that calls `send()` or awaits. `nil` cancels the future,
    ///     and an error fails it.
    @preconcurrency
    public func dataFuture(
        file: String = #fileID, line: UInt = #line, from callback: @escaping @Sendable () throws -> (any Request)?
    ) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(file: file, line: line) { [self] in
            guard let request = try callback() else { return nil }
            return try urlRequest(from: request)
        }
    }
}
