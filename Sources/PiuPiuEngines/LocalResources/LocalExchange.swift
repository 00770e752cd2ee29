import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange that is answered from a ``LocalResource``, with the events of a small HTTP response.
final class LocalExchange: TransferHandle {
    private struct State {
        /// How many calls of ``LocalExchange/launch()`` are missing.
        var missingLaunches = 2
        var isCancelled = false
        var isPaused = false
        /// Whether reading stopped because of a pause, and has to be resumed.
        var isWaiting = false
        var source: LocalResource.Source?
        var onEvent: (@Sendable (TransferEvent) -> Void)?
    }

    private static let chunkSize = 64 << 10

    let ticket: Int
    private let engine: LocalEngine
    private let resource: LocalResource
    private let request: URLRequest
    private let queue = DispatchQueue(label: "PiuPiu.local", target: .global())
    private let state: Locked<State>

    init(
        _ resource: LocalResource, of request: URLRequest, ticket: Int, engine: LocalEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.resource = resource
        self.request = request
        self.ticket = ticket
        self.engine = engine
        state = Locked(State(onEvent: onEvent))
    }

    /// Called twice, in any order: when its turn has come, and when its reader can pause it.
    func launch() {
        let isReady = state.withLock { state in
            state.missingLaunches -= 1
            return state.missingLaunches == 0
        }
        if isReady { queue.async { self.step { try $0.open() } } }
    }

    func cancel() {
        let isFirst = state.withLock { state in
            guard state.onEvent != nil, !state.isCancelled else { return false }
            state.isCancelled = true
            return true
        }
        guard isFirst else { return }
        engine.withdraw(self)
        // Enqueued behind the chunk that is being read. After a pause there is none, and only this call leaves the
        // engine.
        queue.async {
            self.engine.leave(self)
            self.report(.failed(CancellationError()))
        }
    }

    func pause() {
        state.withLock { $0.isPaused = true }
    }

    func resume() {
        let mustRead = state.withLock { state in
            state.isPaused = false
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if mustRead { queue.async { self.step { try $0.readOn() } } }
    }

    /// Opens the resource or reads a chunk, and schedules the next step.
    private func step(_ body: (LocalExchange) throws -> Bool) {
        guard !state.withLock({ $0.isCancelled }) else { return engine.leave(self) }
        do {
            if try body(self) {
                let goesOn = state.withLock { state in
                    state.isWaiting = state.isPaused
                    return !state.isPaused
                }
                // A paused exchange must not delay others.
                guard goesOn else { return engine.park(self) }
                queue.async { self.step { try $0.readOn() } }
                return
            }
            finish(with: .finished)
        } catch let error as TransferError {
            finish(with: .failed(error))
        } catch {
            finish(with: .failed(TransferError(.other, url: request.url, underlyingError: error)))
        }
    }

    private func open() throws -> Bool {
        let content = try resource.open()
        state.withLock { $0.source = content.source }
        report(.head(TransferHead(content.response), request: request))
        return true
    }

    /// Reports the next chunk; returns false if there is none.
    private func readOn() throws -> Bool {
        switch state.withLock({ $0.source }) {
        case .memory(let rest):
            guard !rest.isEmpty else { return false }
            state.withLock { $0.source = .memory(rest.dropFirst(Self.chunkSize)) }
            report(.body(Data(rest.prefix(Self.chunkSize))))
        case .file(let file, let rest):
            // No more than announced, even if the file has grown meanwhile.
            let count = min(rest ?? Self.chunkSize, Self.chunkSize)
            guard count > 0 else { return false }
            guard let chunk = try file.chunk(upToCount: count), !chunk.isEmpty else {
                guard rest != nil, try Self.hasShrunk(file) else { return false }
                throw TransferError(.truncated, url: request.url)
            }
            state.withLock { $0.source = .file(file, rest: rest.map { $0 - chunk.count }) }
            report(.body(chunk))
        case nil:
            return false
        }
        return true
    }

    /// Whether a file that was read to its end has become shorter: a file of the system may have less content than its
    /// size at any time.
    private static func hasShrunk(_ file: FileHandle) throws -> Bool {
        try (FileStatus(file)?.size ?? 0) <= Int64(clamping: file.offset())
    }

    private func finish(with last: TransferEvent) {
        engine.leave(self)
        report(last)
    }

    /// Reports an event, unless the last was reported.
    private func report(_ event: TransferEvent) {
        let onEvent = state.withLock { state in
            defer {
                if event.isTerminal {
                    state.onEvent = nil
                    state.source = nil
                }
            }
            return state.onEvent
        }
        onEvent?(event)
    }
}
