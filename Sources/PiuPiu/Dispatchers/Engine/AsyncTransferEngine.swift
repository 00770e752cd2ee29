public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A ``TransferEngine`` made of one `async` function: any HTTP client with `async` functions becomes an engine in a few
/// lines.
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
/// The promises of a ``TransferEngine`` about its events, cancellation, invalidation and errors are kept here. What is left
/// to the client: it follows no redirect, sends nothing twice that must not be, undoes the content coding, and throws when a
/// body ends before its end. <doc:EnginesOfYourOwn> shows a whole engine.
public protocol AsyncTransferEngine: TransferEngine {
    /// The body of a response, in chunks.
    associatedtype ResponseBody: AsyncSequence where ResponseBody.Element == Data

    /// The exchanges under way: a stored property with its initial value, `RunningExchanges()`.
    var exchanges: RunningExchanges { get }

    /// Sends a request and returns as soon as the head of the response is there, with the sequence of its body.
    ///
    /// It runs off the main actor, in a task of its own for each exchange, which goes through the sequence as well. A
    /// cancellation of the exchange is one of this task. An exchange that is paused asks the sequence for nothing: a client
    /// that reads no further than it is asked to holds the server up. The sequence is gone through at most once, and may have
    /// empty chunks.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - body: the request's body in chunks, with its length where that is known; `nil` for none. A chunk counts as sent
    ///     as soon as the client has asked for it. A client that takes the data or the file of
    ///     ``TransferRequest/body`` instead has sent all of it when the head comes.
    /// - Returns: the head and the body of the response.
    /// - Throws: whatever the client throws; so does the sequence. A ``TransferError``, an ``InvalidRequestError`` and a
    ///   `CancellationError` fail the exchange as they are, anything else as a ``TransferError`` of the kind that
    ///   ``kind(of:afterHead:)`` gives it. Where the request's body has failed, that is what fails the exchange.
    func exchange(_ request: TransferRequest, body: TransferChunks?) async throws -> (TransferHead, ResponseBody)

    /// What an error of the client's means.
    ///
    /// By default a `URLError` is of the kind that its code says, and anything else is ``TransferError/Kind/other``.
    ///
    /// - Parameters:
    ///   - error: what ``exchange(_:body:)`` or the sequence has thrown.
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

    /// Lets the running exchanges come to their end and refuses new ones.
    public func finishTasksAndInvalidate() {
        exchanges.refuseMore()
    }

    /// Cancels the running exchanges and refuses new ones.
    public func invalidateAndCancel() {
        exchanges.cancelAll()
    }

    /// That of a `URLError`, or ``TransferError/Kind/other``.
    public func kind(of error: any Error, afterHead: Bool) -> TransferError.Kind {
        TransferError(error, url: nil).kind
    }
}
