import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine over another one.
protocol DecoratingEngine: TransferEngine {
    /// The engine that carries out its exchanges.
    var base: any TransferEngine { get }
}

/// An engine that may carry out requests with other schemes than HTTP's.
protocol OtherSchemeEngine: TransferEngine {
    /// Whether it carries out this request.
    func carriesOut(_ urlRequest: URLRequest) -> Bool
}

extension TransferEngine {
    /// Whether the start of an exchange starts a task, which inherits from the current one (contract rule INHERIT).
    var startsTasks: Bool {
        (self as? any DecoratingEngine)?.base.startsTasks ?? (self is any AsyncTransferEngine)
    }

    /// Whether an exchange may report events outside of the task that its start starts, as a cache does.
    var reportsOutsideOfTask: Bool {
        guard startsTasks, let decorator = self as? any DecoratingEngine else { return false }
        return decorator is any AnsweringEngine || decorator.base.reportsOutsideOfTask
    }

    /// Whether the engine carries out this request, although its scheme isn't HTTP's.
    func carriesOutOtherScheme(of urlRequest: URLRequest) -> Bool {
        if let decorator = self as? any DecoratingEngine { return decorator.base.carriesOutOtherScheme(of: urlRequest) }
        return (self as? any OtherSchemeEngine)?.carriesOut(urlRequest) ?? false
    }
}
