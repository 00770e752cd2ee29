public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A ``TransferEngine`` made from one `async` function: it turns any HTTP client with `async` functions into an engine.
///
/// ```swift
/// struct ClientEngine: AsyncTransferEngine {
///     let client: Client
///     let exchanges = RunningExchanges()
///
///     func exchange(
///         _ request: TransferRequest, body: TransferChunks?
///     ) async throws -> (TransferHead, some AsyncSequence<Data, any Error>) {
///         let answer = try await client.send(request.urlRequest, chunks: body)
///         return (TransferHead(url: answer.url, status: answer.status, fields: answer.fields), answer.chunks)
///     }
/// }
/// ```
///
/// The protocol keeps the promises of a ``TransferEngine`` about events, cancellation, invalidation and errors. The
/// client must follow no redirect, never repeat a request that isn't idempotent, decode the content coding, and throw
/// when a body is truncated. <doc:EnginesOfYourOwn> shows a whole engine.
public protocol AsyncTransferEngine: TransferEngine {
    /// The body of a response, in chunks.
    associatedtype ResponseBody: AsyncSequence where ResponseBody.Element == Data

    /// The exchanges in flight: a stored property with its initial value, `RunningExchanges()`.
    var exchanges: RunningExchanges { get }

    /// Sends a request and returns as soon as the head of the response is there, with the sequence of its body.
    ///
    /// It runs off the main actor, in its own task for each exchange; the same task iterates over the sequence.
    /// Cancelling the exchange cancels this task: on the caller's thread, or on another one where a time limit or a
    /// deadline ends the exchange. A paused exchange doesn't ask the sequence for more, so a client that reads on
    /// demand applies back-pressure to the server. The sequence is iterated at most once, and may have empty chunks.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - body: the request's body in chunks, with its length if known; `nil` for none. A chunk counts as sent as soon
    ///     as the client has asked for it. A client that sends the data or the file of ``TransferRequest/body`` instead
    ///     has sent all of it when the head comes.
    /// - Returns: the head and the body of the response.
    /// - Throws: any error; so may the sequence. A ``TransferError``, an ``InvalidRequestError`` and a
    ///   `CancellationError` fail the exchange unchanged, any other error as a ``TransferError`` of the kind given by
    ///   ``kind(of:afterHead:)``. An error of the request's body takes precedence.
    func exchange(_ request: TransferRequest, body: TransferChunks?) async throws -> (TransferHead, ResponseBody)

    /// The kind of an error of the client.
    ///
    /// By default a `URLError` has the kind of its code, and any other error is ``TransferError/Kind/other``.
    ///
    /// - Parameters:
    ///   - error: the error of ``exchange(_:body:)`` or of the sequence.
    ///   - afterHead: whether the head of the response was there.
    func kind(of error: any Error, afterHead: Bool) -> TransferError.Kind
}

extension AsyncTransferEngine {
    /// Starts a task that carries out one exchange.
    public func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let exchange = AsyncExchange(onEvent: onEvent)
        guard let task = exchanges.launch({ await exchange.run(request, on: self) }) else {
            return RefusedExchange(TransferError(.sessionInvalidated, url: request.urlRequest.url), onEvent: onEvent)
        }
        return AsyncExchangeHandle(task: task, gate: exchange.gate)
    }

    /// Lets the running exchanges end and refuses new ones.
    public func finishTasksAndInvalidate() {
        exchanges.refuseMore()
    }

    /// Cancels the running exchanges and refuses new ones.
    public func invalidateAndCancel() {
        exchanges.cancelAll()
    }

    /// The kind of a `URLError`, or ``TransferError/Kind/other``.
    public func kind(of error: any Error, afterHead: Bool) -> TransferError.Kind {
        TransferError(error, url: nil).kind
    }
}
