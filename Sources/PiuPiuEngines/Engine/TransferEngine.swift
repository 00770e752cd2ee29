/// The network below a dispatcher: it carries out single hops, a request and its response, and any number at once.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(engine: MyEngine())
/// ```
///
/// A ``URLRequestDispatcher`` uses a ``CurlEngine`` on Linux and a ``URLSessionEngine`` elsewhere; another HTTP client
/// or a test can replace them. The dispatcher gives an engine only `http` and `https` requests, with checked URL,
/// method and headers; a ``URLSessionEngine`` also gets those that a `URLProtocol` of its configuration takes. It does
/// everything else itself: redirects, cookies, timeouts, the limit of requests per host, the check of announced
/// lengths, prompt cancellation, `file` and `data` URLs, adapters, files, streams and progress. The engine sets this up
/// with ``settings``.
///
/// An engine keeps these promises:
/// - The events of an exchange arrive one at a time, in order and off the main actor. Exactly one of them is terminal
///   (``TransferEvent/isTerminal``); it is the last, and `onEvent` is released after it. None arrives inside
///   ``start(_:onEvent:)``.
/// - An HTTP status is no failure. A redirect is a response like any other, and is not followed.
/// - A truncated body is a failure, and so is a response that is no HTTP. Failures are ``TransferError``s, which name
///   the URL; a cancellation is a `CancellationError`.
/// - A request is not sent twice, unless it is idempotent (RFC 9110, section 9.2.2), or has an `Idempotency-Key`, and
///   nothing of the answer has come.
/// - A running exchange retains everything that it needs. After the release of the engine and the end of its last
///   exchange its connections are closed.
///
/// Legacy: the `ResponseFutureSession` of PiuPiu 1.x.
public protocol TransferEngine: Sendable {
    /// Whether the engine sends a body of ``TransferBody/chunks(_:)`` as they come.
    ///
    /// If it doesn't, they are collected once the request may be sent, beyond a few megabytes in a temporary file, and
    /// the engine gets data or a file. The default is `true`. An engine that this package decorates takes chunks in any
    /// case.
    var streamsBodies: Bool { get }

    /// The work of the dispatcher for the engine.
    ///
    /// The default is ``TransferSettings/init()``.
    var settings: TransferSettings { get }

    /// Starts one exchange; from any thread, without blocking.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - onEvent: is called with each event. It returns quickly, but may write a chunk to a file.
    /// - Returns: a handle that cancels, pauses and resumes the exchange. An engine around another one returns the
    ///   other's handle as it is, or one of its own, which names the other's as ``TransferHandle/wrapped``.
    func start(_ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void) -> any TransferHandle

    /// Lets the running exchanges end and refuses new ones with ``TransferError/Kind/sessionInvalidated``.
    func finishTasksAndInvalidate()

    /// Cancels the running exchanges and refuses new ones with ``TransferError/Kind/sessionInvalidated``. It may also
    /// come after ``finishTasksAndInvalidate()``; that may come again, and changes nothing then.
    func invalidateAndCancel()
}

extension TransferEngine {
    /// `true`: chunks are sent as they come.
    public var streamsBodies: Bool { true }

    /// The default settings.
    public var settings: TransferSettings { TransferSettings() }
}

/// One exchange, to be cancelled, paused and resumed.
///
/// All methods may be called from any thread, any number of times, and never wait for the network. They don't block:
/// one thread ends all exchanges whose time is over.
public protocol TransferHandle: Sendable {
    /// The handle below this one, if an engine around another one returns handles of its own; `nil` otherwise, as by
    /// default.
    ///
    /// ```swift
    /// struct LoggingHandle: TransferHandle {
    ///     let base: any TransferHandle
    ///
    ///     var wrapped: (any TransferHandle)? { base }
    ///
    ///     func cancel() {
    ///         log("cancelled")
    ///         base.cancel()
    ///     }
    ///
    ///     func pause() { base.pause() }
    ///     func resume() { base.resume() }
    /// }
    /// ```
    ///
    /// The engines of this package need to know why an exchange ends. By a timeout a server has failed, which opens the
    /// circuit of ``URLRequestDispatcher/breaking(_:)``, and for which
    /// ``URLRequestDispatcher/cached(in:partition:)`` may have a stale answer. By the caller's own cancellation it
    /// hasn't. The handle below gets the reason first, then this one is cancelled. It is read from any thread.
    var wrapped: (any TransferHandle)? { get }

    /// Ends the exchange with a `CancellationError`, unless it is already over.
    func cancel()

    /// Pauses the response's body: back-pressure for a stream whose reader is slower than the server.
    ///
    /// A few more chunks may still come. The default does nothing, for an engine without back-pressure: then a
    /// temporary file takes the chunks that arrive meanwhile.
    func pause()

    /// Resumes the response's body.
    func resume()
}

extension TransferHandle {
    /// `nil`: there is no handle below.
    public var wrapped: (any TransferHandle)? { nil }

    /// Does nothing.
    public func pause() {}

    /// Does nothing.
    public func resume() {}
}
