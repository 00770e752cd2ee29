public import Foundation

extension StreamedBody {
    /// A body whose chunks come from a sequence: for a mock, or a dispatcher of your own.
    ///
    /// ```swift
    /// func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
    ///     ResponseFuture {
    ///         let answer = try await client.send(urlRequest)
    ///         return Response(data: StreamedBody(answer.chunks), urlRequest: urlRequest, urlResponse: answer.head)
    ///     }
    /// }
    /// ```
    ///
    /// The sequence is iterated once, in order, off the main actor, by a task of the body. A chunk is asked for when the
    /// reader waits for it, and none before: a slow reader applies back-pressure, and memory stays constant (contract
    /// rule MEMORY). Empty chunks are skipped.
    ///
    /// An error of the sequence reaches the reader unchanged, after the chunks before it. What cancels a transfer, such as
    /// the release of the body, cancels that task; the reader doesn't wait for a sequence that doesn't notice it (DOWN).
    /// The task has the priority and the task-local values of the code that makes the body (INHERIT).
    ///
    /// - Parameter chunks: the parts of the body.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Data {
        self.init(chunks, from: nil)
    }

    /// The same; a ``TransferError`` without a URL gets this one.
    package init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, from url: URL?) where Chunks.Element == Data {
        let turn = PauseGate(), buffer = StreamBuffer { turn.open() }
        turn.close()
        let task = Task {
            do {
                await turn.pass()
                try Task.checkCancellation()
                for try await chunk in chunks where !chunk.isEmpty {
                    // Before the reader has this chunk, and may wait for the next.
                    turn.close()
                    buffer.append(chunk)
                    await turn.pass()
                    try Task.checkCancellation()
                }
                buffer.finish(nil)
            } catch let error as TransferError {
                buffer.finish(error.naming(url))
            } catch {
                buffer.finish(error)
            }
        }
        buffer.attach(ReadingTask(task: task))
        self.init(buffer)
    }
}

/// Cancels the task that reads a sequence, which paces itself.
private struct ReadingTask: TransferHandle {
    let task: Task<Void, Never>

    func cancel() { task.cancel() }
}
