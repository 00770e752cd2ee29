/// Binds each future of a dispatcher to a ``FutureScope``, and the body of each stream.
///
/// Made by ``Dispatching/bound(to:)``.
public struct ScopePolicy: DispatcherPolicy {
    let members: ScopeMembers

    /// Makes a policy that binds to this scope, without retaining it.
    public init(_ scope: FutureScope) {
        members = scope.members
    }

    /// The future of the exchange, which is cancelled with the scope, started or not.
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        let future = exchange.kind == .stream ? bindingBody(of: exchange.makeFuture()) : exchange.makeFuture()
        future.bind(to: members)
        return future
    }

    private func bindingBody<Content>(of future: ResponseFuture<Response<Content>>) -> ResponseFuture<Response<Content>>
    {
        future.then { [members] response in
            (response.data as? StreamedBody)?.bind(to: members)
            return response
        }
    }
}

/// A dispatcher that may bind its futures to scopes.
package protocol ScopeBinding {
    /// The scopes, also those of the dispatchers below.
    var scopes: [ScopeMembers] { get }
}

extension ResponseFuture {
    /// Binds it to the scopes of a dispatcher whose own future, which is bound, is made only when this one runs.
    package func bound(toScopesOf dispatcher: Any) -> Self {
        bound(to: (dispatcher as? any ScopeBinding)?.scopes ?? [])
    }

    /// Binds it to those of these scopes that it doesn't belong to yet.
    func bound(to scopes: [ScopeMembers]) -> Self {
        for members in scopes where !isBound(to: members) { bind(to: members) }
        return self
    }
}

extension StreamedBody {
    /// Binds the body to the scope, which cancels it unless it is read by then.
    func bind(to members: ScopeMembers) {
        let buffer = buffer
        if let membership = members.enter(.other { [weak buffer] in buffer?.cancel() }) {
            buffer.hold(membership)
        } else {
            buffer.cancel()
        }
    }
}

extension ScopePolicy: CustomStringConvertible, CustomReflectable {
    /// How many are bound to the scope: "ScopePolicy(7 bound)".
    public var description: String { "ScopePolicy(\(members.isCancelled ? "cancelled" : "\(members.count) bound"))" }

    /// Only what the description shows.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
