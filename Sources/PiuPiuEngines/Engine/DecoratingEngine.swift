import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine over another one. It takes chunks, and starts the other one by
/// ``TransferEngine/start(spooling:onEvent:)``, in case that the other one doesn't.
protocol DecoratingEngine: TransferEngine {
    /// The engine that carries out its exchanges.
    var base: any TransferEngine { get }
}

/// An engine that may carry out requests with other schemes than HTTP's.
protocol OtherSchemeEngine: TransferEngine {
    /// Whether it carries out this request.
    func carriesOut(_ urlRequest: URLRequest) -> Bool
}

/// An engine whose exchanges start no task, but for the chunks of a request's body. An engine that doesn't say so may.
package protocol TasklessEngine: TransferEngine {}

extension TransferEngine {
    /// Whether the start of an exchange may start a task, which inherits from the current one (contract rule INHERIT).
    var startsTasks: Bool {
        (self as? any DecoratingEngine)?.base.startsTasks ?? !(self is any TasklessEngine)
    }

    /// Whether an exchange may report events outside of the task that its start starts, as a cache does, or a user's
    /// engine of callbacks.
    var reportsOutsideOfTask: Bool {
        guard startsTasks else { return false }
        guard let decorator = self as? any DecoratingEngine else { return !(self is any AsyncTransferEngine) }
        return decorator is any AnsweringEngine || decorator.base.reportsOutsideOfTask
    }

    /// Whether the engine carries out this request, although its scheme isn't HTTP's.
    func carriesOutOtherScheme(of urlRequest: URLRequest) -> Bool {
        if let decorator = self as? any DecoratingEngine { return decorator.base.carriesOutOtherScheme(of: urlRequest) }
        return (self as? any OtherSchemeEngine)?.carriesOut(urlRequest) ?? false
    }
}
