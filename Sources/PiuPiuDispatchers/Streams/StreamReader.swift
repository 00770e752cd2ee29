/// The shared owner of a stream, retained by the body and its iterators. Its release cancels the transfer.
final class StreamReader: Sendable {
    let buffer: StreamBuffer
    private let isTaken = Locked(false)

    init(_ buffer: StreamBuffer) {
        self.buffer = buffer
    }

    /// Whether the caller is the first, and may read.
    func take() -> Bool { isTaken.withLock { !exchange(&$0, with: true) } }

    deinit { buffer.cancel() }
}
