import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange that is answered from a ``LocalResource``, with the events of a small HTTP response.
final class LocalExchange: EngineExchange {
    private struct State {
        var interruption: (any Error)?
        var onEvent: (@Sendable (TransferEvent) -> Void)?
    }

    private static let chunkSize = 64 << 10

    let ticket: Int
    private let engine: URLSessionEngine
    private let resource: LocalResource
    private let request: URLRequest
    private let queue = DispatchQueue(label: "PiuPiu.local", target: .global())
    private let state: Locked<State>

    init(
        _ resource: LocalResource, of request: URLRequest, ticket: Int, engine: URLSessionEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.resource = resource
        self.request = request
        self.ticket = ticket
        self.engine = engine
        state = Locked(State(onEvent: onEvent))
    }

    func launch(directly: Bool) {
        queue.async {
            let last = self.read()
            self.engine.leave(self)
            self.tell(last)
        }
    }

    func interrupt(with error: any Error) {
        let isFirst = state.withLock { state in
            guard state.onEvent != nil, state.interruption == nil else { return false }
            state.interruption = error
            return true
        }
        guard isFirst else { return }
        engine.withdraw(self)
        // While the resource is read this waits behind the reading, which ends at its next chunk.
        queue.async { self.tell(.failed(error)) }
    }

    /// Tells the events but for the last, which is returned.
    private func read() -> TransferEvent {
        do {
            try checkInterruption()
            let content = try resource.open()
            tell(.head(content.response, request: request))
            switch content.source {
            case .memory(let data):
                var rest = data
                while !rest.isEmpty {
                    try checkInterruption()
                    tell(.body(Data(rest.prefix(Self.chunkSize))))
                    rest = rest.dropFirst(Self.chunkSize)
                }
            case .file(let file):
                while let chunk = try file.read(upToCount: Self.chunkSize), !chunk.isEmpty {
                    try checkInterruption()
                    tell(.body(chunk))
                }
            }
            try checkInterruption()
            return .finished
        } catch let error as TransferError {
            return .failed(error)
        } catch let error as CancellationError {
            return .failed(error)
        } catch {
            return .failed(TransferError(.other, url: request.url, underlyingError: error))
        }
    }

    private func checkInterruption() throws {
        if let error = state.withLock({ $0.interruption }) { throw error }
    }

    /// Tells an event, unless the last was told.
    private func tell(_ event: TransferEvent) {
        let onEvent = state.withLock { state in
            defer { if event.isTerminal { state.onEvent = nil } }
            return state.onEvent
        }
        onEvent?(event)
    }
}
