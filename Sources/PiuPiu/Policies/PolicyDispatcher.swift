public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A dispatcher with a policy on it, which makes the kinds of futures that the dispatcher below makes.
///
/// Made by ``Dispatching/applying(_:)``, and by the names of the package's own policies, such as
/// ``Dispatching/retrying(_:)``. Of several policies the last that is put on is the outermost.
public struct PolicyDispatcher<Base: Dispatching, Policy: DispatcherPolicy>: Dispatching {
    /// The dispatcher below.
    public let base: Base

    /// What decides on each exchange.
    public let policy: Policy

    /// Puts a policy on a dispatcher.
    public init(_ base: Base, policy: Policy) {
        self.base = base
        self.policy = policy
    }
}

extension PolicyDispatcher: RequestDispatcher where Base: RequestDispatcher {}

extension PolicyDispatcher: DataDispatcher where Base: DataDispatcher {
    /// The future that the policy makes of the one of the dispatcher below.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        policy.future(
            of: PendingExchange(.data, urlRequest) { [base] request, _ in base.dataFuture(from: request) })
    }
}

extension PolicyDispatcher: UploadDispatcher where Base: UploadDispatcher {
    /// The future that the policy makes of the one of the dispatcher below.
    public func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        policy.future(
            of: PendingExchange(.upload, urlRequest, body: .data(data)) { [base] request, _ in
                base.uploadFuture(from: request, with: data)
            })
    }

    /// The future that the policy makes of the one of the dispatcher below.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        policy.future(
            of: PendingExchange(.upload, urlRequest, body: body) { [base] request, body in
                base.uploadFuture(from: request, with: body)
            })
    }
}

extension PolicyDispatcher: DownloadDispatcher where Base: DownloadDispatcher {
    /// The future that the policy makes of the one of the dispatcher below.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination, isResumable: false)
    }

    /// The future that the policy makes of the one of the dispatcher below.
    public func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        let kind = ExchangeKind.download(destination: destination, isResumable: isResumable)
        return policy.future(
            of: PendingExchange(kind, urlRequest) { [base] request, _ in
                base.downloadFuture(from: request, to: destination, isResumable: isResumable)
            })
    }
}

extension PolicyDispatcher: StreamDispatcher where Base: StreamDispatcher {
    /// The future that the policy makes of the one of the dispatcher below.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        policy.future(
            of: PendingExchange(.stream, urlRequest) { [base] request, _ in base.streamFuture(from: request) })
    }
}

extension PolicyDispatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kinds of the dispatcher below and of the policy: "PolicyDispatcher(MockRouteTable, RetryPolicy)".
    public var description: String {
        "PolicyDispatcher(\(readableName(of: Base.self)), \(readableName(of: Policy.self)))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: what is inside may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
