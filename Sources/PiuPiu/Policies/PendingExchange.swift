public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An exchange that a caller asks for, as a ``DispatcherPolicy`` is handed it.
///
/// `Content` is what the response brings: `Data?` for data and uploads, the `URL` of the file for a download, a
/// ``StreamedBody`` for a stream.
public struct PendingExchange<Content: Sendable>: Sendable {
    typealias Maker = @Sendable (URLRequest, TransferBody) -> ResponseFuture<Response<Content>>

    /// Which future of the dispatcher was asked for.
    public let kind: ExchangeKind

    /// The request as it was asked for: no adapter has seen it yet.
    public let urlRequest: URLRequest

    /// What is sent after the headers: the body of an upload, else the one that the request has.
    public let body: TransferBody

    private let maker: Maker

    init(_ kind: ExchangeKind, _ urlRequest: URLRequest, body: TransferBody? = nil, maker: @escaping Maker) {
        self.kind = kind
        self.urlRequest = urlRequest
        self.body = body ?? TransferBody(of: urlRequest)
        self.maker = maker
    }

    /// A new future of the exchange, cold like every other, by the dispatcher below.
    ///
    /// Whether the request and its body may be sent once more is for the policy to know.
    public func makeFuture() -> ResponseFuture<Response<Content>> { makeFuture(from: urlRequest) }

    /// A new future of the exchange, with another request in the place of the one that was asked for.
    public func makeFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Content>> {
        maker(urlRequest, body)
    }

    /// The same, which for an upload sends another body as well.
    package func makeFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Content>> {
        maker(urlRequest, body)
    }
}

extension PendingExchange: CustomStringConvertible, CustomReflectable {
    /// The method and the URL, with its secrets redacted.
    public var description: String {
        let url = urlRequest.url?.text(redacting: .secrets) ?? "(no URL)"
        return "\(urlRequest.httpMethod?.escapingControlCharacters ?? "GET") \(url)"
    }

    /// Nothing: headers and bodies may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The four kinds of exchange, and what belongs to one of them alone.
public enum ExchangeKind: Sendable, Hashable {
    /// The response is collected in memory.
    case data
    /// A body is sent that the caller has given beside the request.
    case upload
    /// The response goes to a file, and may go on where an earlier download was interrupted.
    case download(destination: URL, isResumable: Bool)
    /// The response is read while it arrives.
    case stream
}
