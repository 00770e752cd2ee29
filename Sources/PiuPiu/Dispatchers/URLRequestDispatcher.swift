public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The dispatcher that sends requests through `URLSession`.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher()
/// let future = dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
/// ```
///
/// A `Sendable` value: copies share one session, a running future keeps that session alive, and when the last of both
/// is gone it is invalidated and freed (contract rule VALUE).
///
/// The futures it makes report one update at the start, one for each part of the request's body that was sent, one for
/// the head of the response and one for each chunk of its body (contract rule UPDATES). They fail with:
/// - ``InvalidRequestError`` if the request can't be sent as it is (no host, a header that would inject another…);
/// - ``TransferError`` if there is no complete response: refused, unresolvable, timed out, cut off…
///
/// `Authorization` and `Cookie` headers don't follow a redirect to another scheme, host or port. `file:` and `data:`
/// URLs are answered too, on every platform.
///
/// On Linux three answers of a server end the process inside Foundation itself, whatever library is used: valid
/// trailers after a chunked body, a connection closed in the middle of the headers, and a `Content-Length` near 2⁶³.
public struct URLRequestDispatcher: DataDispatcher {
    private let engine: any TransferEngine

    /// Makes a dispatcher with a session of its own.
    ///
    /// - Parameter configuration: what the session is made from. It is copied. On Linux its cache is left out, as
    ///   Foundation crashes with it.
    public init(configuration: URLSessionConfiguration = .default) {
        engine = URLSessionEngine(configuration: configuration)
    }

    /// Makes a dispatcher over another engine.
    package init(engine: any TransferEngine) {
        self.engine = engine
    }

    /// A future of the server's response to this request, whatever its status.
    ///
    /// The request is checked and sent when the future is started, and given up when it is cancelled. The response
    /// names the request that it answers: after redirects, the last one.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(reportingOperation: { [engine] report in
            let (data, response, request) = try await DataTransfer.run(urlRequest, on: engine, report: report)
            return Response(data: data, urlRequest: request, urlResponse: response)
        })
    }

    /// Lets running requests finish; requests started later fail with `TransferError.Kind.sessionInvalidated`.
    public func finishTasksAndInvalidate() {
        engine.finishTasksAndInvalidate()
    }

    /// Cancels running requests, whose futures end as cancelled; requests started later fail with
    /// `TransferError.Kind.sessionInvalidated`.
    public func invalidateAndCancel() {
        engine.invalidateAndCancel()
    }
}
