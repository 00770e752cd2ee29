import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// Cancellation goes both ways: from the future to the task, and from the task to the future.
    func cancellation() async {
        transcript.title("4. Cancellation, both ways")

        let first = slowFuture()
        let firstTask = await startedTask(awaiting: first)
        first.cancel()
        transcript.expect(isCancelled(await firstTask.result), "future.cancel(): its awaiter gets CancellationError")

        let second = slowFuture()
            .success { _ in transcript.expect(false, "no success after a cancellation") }
            .cancellation { transcript.note("cancellation: the request was taken back") }
        let secondTask = await startedTask(awaiting: second)
        await withCheckedContinuation { continuation in
            _ = second.completion {
                transcript.note("completion")
                continuation.resume()
            }
            secondTask.cancel()
        }
        transcript.expect(second.status == .cancelled, "task.cancel(): cancels what nobody else wants")
    }

    /// A slow request; a mock's if the tour has no server of its own.
    private func slowFuture() -> ResponseFuture<Response<Data?>> {
        if server != nil { return dispatcher.dataFuture(from: request("delay/60000")) }
        return MockURLRequestDispatcher(delay: 60) { Response.makeMockResponse(with: $0, statusCode: .ok) }
            .dataFuture(from: request("posts"))
    }

    /// A task that awaits the future; returned after the future's first update.
    private func startedTask(
        awaiting future: ResponseFuture<Response<Data?>>
    ) async -> Task<Response<Data?>, any Error> {
        let updates = AsyncStream<Void>.makeStream()
        _ = future.onUpdate { _ in updates.continuation.yield() }.onCompletion { updates.continuation.finish() }
        let task = Task { try await future.value }
        for await _ in updates.stream { break }
        return task
    }

    private func isCancelled<Success>(_ result: Result<Success, any Error>) -> Bool {
        if case .failure(let error) = result { error is CancellationError } else { false }
    }
}
