import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine over another one.
protocol DecoratingEngine: TransferEngine {
    /// The engine that carries out its exchanges.
    var base: any TransferEngine { get }
}

extension TransferEngine {
    /// Whether the start of an exchange starts a task, which inherits from the current one (contract rule INHERIT).
    var startsTasks: Bool {
        (self as? any DecoratingEngine)?.base.startsTasks ?? (self is any AsyncTransferEngine)
    }

    /// Whether a `URLProtocol` of the engine's configuration carries out the request.
    func hasProtocol(for urlRequest: URLRequest) -> Bool {
        if let decorator = self as? any DecoratingEngine { return decorator.base.hasProtocol(for: urlRequest) }
        return (self as? URLSessionEngine)?.protocols.contains { $0.canInit(with: urlRequest) } ?? false
    }
}
