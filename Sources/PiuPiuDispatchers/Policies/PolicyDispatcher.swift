public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A dispatcher with a policy; it makes the same kinds of futures as the dispatcher below.
///
/// Made by ``Dispatching/applying(_:)``, and by the names of the package's own policies, such as
/// ``Dispatching/retrying(_:)``. Of several policies, the last one applied is the outermost.
public struct PolicyDispatcher<Base: Dispatching, Policy: DispatcherPolicy>: Dispatching {
    private let parts: PolicyDispatcherParts<Base, Policy>

    /// The dispatcher below.
    public var base: Base { parts.base }

    /// The policy for each exchange.
    public var policy: Policy { parts.policy }

    /// Applies a policy to a dispatcher.
    public init(_ base: Base, policy: Policy) {
        parts = PolicyDispatcherParts(base: base, policy: policy)
    }
}

/// The parts of a ``PolicyDispatcher``, behind one reference: each exchange retains them, at any depth.
private final class PolicyDispatcherParts<Base: Dispatching, Policy: DispatcherPolicy>: Sendable {
    let base: Base
    let policy: Policy

    /// What carries out an exchange below inside the work of another future, if the dispatcher there can: data, and
    /// uploads.
    let stack: PolicyStack<Data?>?
    /// Whether that ends as soon as it is cancelled.
    let endsPromptly: Bool
    /// The scopes of this dispatcher and of those below.
    let scopes: [ScopeMembers]

    init(base: Base, policy: Policy) {
        self.base = base
        self.policy = policy
        let below = (base as? any ScopeBinding)?.scopes ?? []
        scopes = (policy as? ScopePolicy).map { below + [$0.members] } ?? below
        let inline = base as? any InlineDispatcher
        stack = inline?.stack
        endsPromptly = inline?.endsPromptly ?? false
    }
}

// A future of a policy is bound to the scopes of the dispatchers below when it is made: their own futures may be made
// only when it starts, or not at all.

extension PolicyDispatcher: ScopeBinding {
    package var scopes: [ScopeMembers] { parts.scopes }
}

extension PolicyDispatcher: RequestDispatcher where Base: RequestDispatcher {}

extension PolicyDispatcher: DataDispatcher where Base: DataDispatcher {
    /// The future that the policy makes from that of the dispatcher below.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        parts.policy.future(of: dataExchange(urlRequest)).bound(to: parts.scopes)
    }

    private func dataExchange(_ urlRequest: URLRequest) -> PendingExchange<Data?> {
        PendingExchange(
            .data, urlRequest, endsPromptly: parts.endsPromptly, stack: parts.stack,
            maker: { [parts] request, _ in parts.base.dataFuture(from: request) })
    }
}

extension PolicyDispatcher: UploadDispatcher where Base: UploadDispatcher {
    /// The future that the policy makes from that of the dispatcher below.
    public func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: urlRequest, with: .data(data))
    }

    /// The future that the policy makes from that of the dispatcher below.
    public func uploadFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Data?>> {
        parts.policy.future(of: uploadExchange(urlRequest, body)).bound(to: parts.scopes)
    }

    private func uploadExchange(_ urlRequest: URLRequest, _ body: TransferBody) -> PendingExchange<Data?> {
        PendingExchange(
            .upload, urlRequest, body: body, endsPromptly: parts.endsPromptly, stack: parts.stack,
            maker: { [parts] request, body in
                // A dispatcher that sends only data needn't read it from a body.
                if case .data(let data) = body { return parts.base.uploadFuture(from: request, with: data) }
                return parts.base.uploadFuture(from: request, with: body)
            })
    }
}

extension PolicyDispatcher: InlineDispatcher
where Base: DataDispatcher & UploadDispatcher, Policy: InlinePolicy {
    var endsPromptly: Bool { parts.policy.endsPromptly && parts.endsPromptly }

    var stack: PolicyStack<Data?> {
        guard let policy = parts.policy as? any PartPolicy, let stack = parts.stack else {
            return PolicyStack(self, reportsUpdates: parts.stack?.reportsUpdates ?? false)
        }
        return PolicyStack(policy, of: self, on: stack, endsPromptly: parts.endsPromptly)
    }

    func response(
        to urlRequest: URLRequest, body: TransferBody?, in work: InlineWork
    ) async throws -> Response<Data?> {
        let exchange = body.map { uploadExchange(urlRequest, $0) } ?? dataExchange(urlRequest)
        return try await parts.policy.response(of: exchange, in: work)
    }
}

extension PolicyDispatcher: DownloadDispatcher where Base: DownloadDispatcher {
    /// The future that the policy makes from that of the dispatcher below.
    public func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination, isResumable: false)
    }

    /// The future that the policy makes from that of the dispatcher below.
    public func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        let kind = ExchangeKind.download(destination: destination, isResumable: isResumable)
        return parts.policy.future(
            of: PendingExchange(kind, urlRequest) { [parts] request, _ in
                parts.base.downloadFuture(from: request, to: destination, isResumable: isResumable)
            }
        )
        .bound(to: parts.scopes)
    }
}

extension PolicyDispatcher: StreamDispatcher where Base: StreamDispatcher {
    /// The future that the policy makes from that of the dispatcher below.
    public func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        parts.policy.future(
            of: PendingExchange(.stream, urlRequest) { [parts] request, _ in parts.base.streamFuture(from: request) }
        )
        .bound(to: parts.scopes)
    }
}

extension PolicyDispatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The types of the dispatcher below and of the policy: "PolicyDispatcher(MockRouteTable, RetryPolicy)".
    public var description: String {
        "PolicyDispatcher(\(readableName(of: Base.self)), \(readableName(of: Policy.self)))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the contents may include secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
