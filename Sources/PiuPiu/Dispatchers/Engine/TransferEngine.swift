/// What a dispatcher needs from the network: a thing that carries out one exchange at a time, and as many of them side
/// by side as it is asked for.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(engine: MyEngine())
/// ```
///
/// `URLSession` is behind the engine that a ``URLRequestDispatcher`` has by default; another HTTP client, or a test, can
/// take its place. The dispatcher gives an engine `http` and `https` requests only, whose URL, method and headers it has
/// checked; `file` and `data` URLs, adapters, files, streams and progress are its own business.
///
/// An engine keeps these promises:
/// - The events of an exchange arrive one at a time, in order and off the main actor. Exactly one of them is terminal
///   (``TransferEvent/isTerminal``); it is the last, and `onEvent` is released after it. None arrives inside
///   ``start(_:onEvent:)``.
/// - An HTTP status is no failure. Redirects are followed, at most 20, and `Authorization` and `Cookie` headers stay
///   behind when the scheme, the host or the port changes.
/// - A body that ends before its announced length is a failure, as is a response that is no HTTP. Failures are
///   ``TransferError``s, which name the URL; a cancellation is a `CancellationError`.
/// - A running exchange keeps alive what it needs. When the last reference to the engine and the last exchange are gone,
///   so are its connections.
///
/// Legacy: the `ResponseFutureSession` of PiuPiu 1.x.
public protocol TransferEngine: Sendable {
    /// Whether the engine sends a body of ``TransferBody/chunks(_:)`` while they come. Where it doesn't, they are
    /// collected first, beyond a few megabytes in a temporary file, and the engine is given data or a file.
    ///
    /// The default is `true`.
    var streamsBodies: Bool { get }

    /// Starts one exchange; from any thread, and without waiting for anything.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - onEvent: is called with what happens. It returns quickly, but may write a chunk to a file.
    /// - Returns: what the exchange can be given up with.
    func start(_ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void) -> any TransferHandle

    /// Lets the running exchanges come to their end and refuses new ones with ``TransferError/Kind/sessionInvalidated``.
    func finishTasksAndInvalidate()

    /// Cancels the running exchanges and refuses new ones with ``TransferError/Kind/sessionInvalidated``.
    func invalidateAndCancel()
}

extension TransferEngine {
    /// Chunks are sent as they come.
    public var streamsBodies: Bool { true }
}

/// One exchange, to be cancelled, paused and resumed.
///
/// All of it may be called from any thread, any number of times, and never waits for the network.
public protocol TransferHandle: Sendable {
    /// Ends the exchange with a `CancellationError`, unless it is over already.
    func cancel()

    /// Asks for no more of the response's body for now: the reader of a stream is slower than the server.
    ///
    /// A few more chunks may still come. An engine that can't hold a server back does nothing, as the default does; what
    /// arrives in the meantime is kept in a temporary file then.
    func pause()

    /// Asks for the rest of the body.
    func resume()
}

extension TransferHandle {
    /// Nothing is held back.
    public func pause() {}

    /// Nothing was held back.
    public func resume() {}
}
