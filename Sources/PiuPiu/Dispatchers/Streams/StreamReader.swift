/// The shared owner of a stream, retained by the body and its iterators. Its release cancels the transfer.
final class StreamReader: Sendable {
    let buffer: StreamBuffer

    init(_ buffer: StreamBuffer) {
        self.buffer = buffer
    }

    deinit { buffer.cancel() }
}
