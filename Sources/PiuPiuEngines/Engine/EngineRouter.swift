import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The layer above a dispatcher's engine: it reads local resources, refuses requests that can't be sent, and passes the
/// rest to the network's engine.
package struct EngineRouter: AnsweringEngine {
    private let network: TransferDriver
    private let local: LocalEngine

    package init(_ network: any TransferEngine) {
        self.init(TransferDriver(network), LocalEngine())
    }

    private init(_ network: TransferDriver, _ local: LocalEngine) {
        self.network = network
        self.local = local
    }

    /// The same layer over a decorated form of the engine: both end together, and all decorated forms share its limit.
    package func decorated(_ decorate: (any TransferEngine) -> any TransferEngine) -> EngineRouter {
        EngineRouter(TransferDriver(decorate(network.linedEngine), over: network), local)
    }

    /// The engine that sends.
    package var engine: any TransferEngine { network.engine }

    package func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        start(request, attach: { _ in }, onEvent: onEvent)
    }

    /// Starts an exchange. `attach` gets its handle, before anything is sent; not that of a refused request, which has
    /// nothing to cancel.
    @discardableResult
    func start(
        _ request: TransferRequest, attach: (any TransferHandle) -> Void,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        if let url = request.urlRequest.url, let resource = LocalResource(url) {
            return local.start(resource, for: request.urlRequest, attach: attach, onEvent: onEvent)
        }
        do {
            return network.start(try validated(request), attach: attach, onEvent: onEvent)
        } catch {
            return RefusedExchange(error, onEvent: onEvent)
        }
    }

    /// The validated request; another scheme than HTTP's is up to the engine.
    private func validated(_ request: TransferRequest) throws(InvalidRequestError) -> TransferRequest {
        try request.validated(allowsOtherSchemes: engine.carriesOutOtherScheme(of: request.urlRequest))
    }

    package func answer(to request: TransferRequest) -> [TransferEvent]? {
        guard network.mayAnswer, let url = request.urlRequest.url, LocalResource(url) == nil,
            let valid = try? validated(request)
        else { return nil }
        return network.answer(to: valid)
    }

    package func finishTasksAndInvalidate() {
        local.invalidate(cancelling: false)
        network.finishTasksAndInvalidate()
    }

    /// Finishes, and returns when the last exchange has ended, or the task is cancelled.
    package func shutdown() async {
        finishTasksAndInvalidate()
        await network.untilTheEnd()
        await local.untilTheEnd()
    }

    package func invalidateAndCancel() {
        local.invalidate(cancelling: true)
        network.invalidateAndCancel()
    }
}

/// The handle of an exchange that was never admitted: there is nothing to cancel.
struct RefusedExchange: TransferHandle {
    /// Reports the error, after the caller has returned.
    init(_ error: any Error, onEvent: @escaping @Sendable (TransferEvent) -> Void) {
        DispatchQueue.global().async { onEvent(.failed(error)) }
    }

    func cancel() {}
}
