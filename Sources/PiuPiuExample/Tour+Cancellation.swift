import Foundation
import PiuPiu
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// Cancellation goes both ways: from the future to the task, and from the task to the future.
    func cancellation() async {
        transcript.title("4. Cancellation, both ways")

        let first = slowFuture()
        let awaiter = Task { try await first.value }
        await started(first)
        first.cancel()
        let awaiterResult = await awaiter.result
        transcript.expect(isCancelled(awaiterResult), "future.cancel(): its awaiter gets CancellationError")

        let second = slowFuture()
        await withCheckedContinuation { continuation in
            _ =
                second
                .success { _ in transcript.expect(false, "no success after a cancellation") }
                .cancellation { transcript.note("cancellation: the request was taken back") }
                .completion {
                    transcript.note("completion")
                    continuation.resume()
                }
            let task = Task { try await second.value }
            Task {
                await started(second)
                task.cancel()
            }
        }
        transcript.expect(second.status == .cancelled, "task.cancel(): cancels what nobody else wants")
    }

    /// A request that would take its time; without a server that has one, a mock's.
    private func slowFuture() -> ResponseFuture<Response<Data?>> {
        if let slowPath { return dispatcher.dataFuture(from: request(slowPath)) }
        return MockURLRequestDispatcher(delay: 60) { try Response.makeMockResponse(with: $0, statusCode: .ok) }
            .dataFuture(from: request("posts"))
    }

    /// Suspends until the future has made its first update.
    private func started(_ future: ResponseFuture<Response<Data?>>) async {
        await withCheckedContinuation { continuation in
            let once = Once(continuation)
            future.onUpdate { _ in once.resume() }.onCompletion { once.resume() }
        }
    }

    private func isCancelled<Success>(_ result: Result<Success, any Error>) -> Bool {
        if case .failure(let error) = result { error is CancellationError } else { false }
    }
}

/// A continuation that several callbacks may want to resume; the first does.
private final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume() {
        continuation.withLock { $0.take() }?.resume()
    }
}
