/// What a dispatcher needs from the network: a thing that carries out one hop of an exchange at a time, a request and the
/// response to it, and as many of them side by side as it is asked for.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(engine: MyEngine())
/// ```
///
/// ``CurlEngine`` is behind a ``URLRequestDispatcher`` on Linux, ``URLSessionEngine`` elsewhere; another HTTP client, or a
/// test, can take their place. The dispatcher gives an engine `http` and `https` requests only, whose URL, method and
/// headers it has checked. All else is the dispatcher's own business: redirects, cookies, timeouts, how many requests go to
/// a host at once, the check of announced lengths, prompt cancellation; `file` and `data` URLs, adapters, files, streams and
/// progress. What it does of that can be asked for with ``settings``.
///
/// An engine keeps these promises:
/// - The events of an exchange arrive one at a time, in order and off the main actor. Exactly one of them is terminal
///   (``TransferEvent/isTerminal``); it is the last, and `onEvent` is released after it. None arrives inside
///   ``start(_:onEvent:)``.
/// - An HTTP status is no failure, and a redirect is a response like others, which is not followed.
/// - A body that ends before its end is a failure, as is a response that is no HTTP. Failures are ``TransferError``s, which
///   name the URL; a cancellation is a `CancellationError`.
/// - A request is not sent twice, unless it is idempotent (RFC 9110, section 9.2.2) and nothing of the answer has come.
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

    /// What the dispatcher is to do for the engine.
    ///
    /// The default is ``TransferSettings/init()``.
    var settings: TransferSettings { get }

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

    /// The usual.
    public var settings: TransferSettings { TransferSettings() }
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
