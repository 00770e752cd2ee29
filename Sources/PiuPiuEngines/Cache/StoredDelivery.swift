import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Delivers a stored response with its body in a file, chunk by chunk, with back-pressure.
final class StoredDelivery: ExplainedHandle {
    private struct State {
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var isPaused = false
        var isCancelled = false
        /// Whether reading has stopped for a pause.
        var isWaiting = false
        var left: Int64
        var checksum = FileChecksum()
    }

    private static let chunkSize: Int64 = 256 << 10

    private let url: URL?
    private let file: FileHandle
    private let stored: StoredFile
    private let turn: (any TransferTurn)?
    private let onDamage: @Sendable () -> Void
    private let queue = DispatchQueue(label: "PiuPiu.stored")
    private let state: Locked<State>

    /// - Parameters:
    ///   - url: the URL of the request, for an error.
    ///   - file: positioned at the beginning of the body.
    ///   - turn: is notified of the waits for the disk.
    ///   - onDamage: is called if the file has changed since it was verified.
    init(
        _ stored: StoredFile, _ file: FileHandle, of url: URL?, turn: (any TransferTurn)?,
        onDamage: @escaping @Sendable () -> Void, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.url = url
        self.file = file
        self.stored = stored
        self.turn = turn
        self.onDamage = onDamage
        state = Locked(State(onEvent: onEvent, left: stored.bodyLength))
    }

    /// Delivers the head, and the body after it.
    func begin(with head: TransferHead, answering request: URLRequest) {
        queue.async {
            self.deliver(.head(head, request: request))
            self.goOn()
        }
    }

    private func goOn() {
        while let left = next() {
            guard left > 0 else { return finish() }
            guard let chunk = read(min(left, Self.chunkSize)), !chunk.isEmpty else { return fail() }
            state.withLock { state in
                state.left -= Int64(chunk.count)
                state.checksum.append(chunk)
            }
            deliver(.body(chunk))
        }
    }

    private func read(_ count: Int64) -> Data? {
        turn?.waitsForDisk()
        defer { try? turn?.leavesDisk() }
        return try? file.chunk(upToCount: Int(count))
    }

    /// How much is left; `nil` if the delivery is paused, cancelled or over.
    private func next() -> Int64? {
        state.withLock { state in
            guard state.onEvent != nil, !state.isCancelled else { return nil }
            state.isWaiting = state.isPaused
            return state.isPaused ? nil : state.left
        }
    }

    private func finish() {
        guard state.withLock({ $0.checksum.value }) == stored.checksum else { return fail() }
        deliver(.finished)
    }

    private func fail() {
        onDamage()
        deliver(.failed(TransferError(.truncated, url: url)))
    }

    private func deliver(_ event: TransferEvent) {
        let onEvent = state.withLock { event.isTerminal ? $0.onEvent.take() : $0.onEvent }
        // First, so that no descriptor outlives the exchange.
        if event.isTerminal, onEvent != nil { try? file.close() }
        onEvent?(event)
    }

    func cancel(because error: any Error) {
        // The queue may be reading: it must not read to the end first.
        state.withLock { $0.isCancelled = true }
        queue.async { self.deliver(.failed(CancellationError())) }
    }

    func pause() { state.withLock { $0.isPaused = true } }

    func resume() {
        let mustGoOn = state.withLock { state in
            state.isPaused = false
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if mustGoOn { queue.async { self.goOn() } }
    }
}
