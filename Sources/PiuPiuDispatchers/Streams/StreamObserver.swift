package import Foundation

/// Observes the reading of a ``StreamedBody``, up to a limit, and reports once how it ended.
///
/// The body and its iterators retain it: the release of the last of them ends the transfer and the reading.
package final class StreamObserver: Sendable {
    /// How the reading has ended.
    package enum Ending: Sendable {
        /// At the end of the body; `nil` if that is over the limit.
        case read(Data?)
        /// The reader stopped before the end; `nil` if the part read is over the limit.
        case dropped(Data?)
        /// With an error, which may be a cancellation; `read` is `nil` if the part read is over the limit.
        case failed(any Error, read: Data?)
    }

    private struct State {
        /// `nil` if it is over the limit.
        var read: Data? = Data()
        var onEnd: (@Sendable (Ending) -> Void)?
    }

    private let limit: Int
    private let state: Locked<State>

    /// - Parameters:
    ///   - limit: how many bytes are kept.
    ///   - onEnd: is called with the ending.
    package init(limit: Int, onEnd: @escaping @Sendable (Ending) -> Void) {
        self.limit = limit
        state = Locked(State(onEnd: onEnd))
    }

    deinit { dropped() }

    /// The reader has got a chunk, or the end.
    func received(_ chunk: Data?) {
        guard let chunk else {
            if let (read, onEnd) = take() { onEnd(.read(read)) }
            return
        }
        state.withLock { state in
            guard let count = state.read?.count else { return }
            if count + chunk.count <= limit { state.read?.append(chunk) } else { state.read = nil }
        }
    }

    /// The reader has got an error.
    func failed(_ error: any Error) {
        if let (read, onEnd) = take() { onEnd(.failed(error, read: read)) }
    }

    /// The reader has stopped.
    func dropped() {
        if let (read, onEnd) = take() { onEnd(.dropped(read)) }
    }

    private func take() -> (read: Data?, onEnd: @Sendable (Ending) -> Void)? {
        state.withLock { state in
            guard let onEnd = state.onEnd else { return nil }
            defer { state = State(read: nil, onEnd: nil) }
            return (state.read, onEnd)
        }
    }
}
