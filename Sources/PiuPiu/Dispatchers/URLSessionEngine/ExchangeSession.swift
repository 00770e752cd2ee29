import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` and the exchanges that its tasks belong to. (Tasks are numbered per session.)
struct ExchangeSession: Sendable {
    private let session: URLSession
    private let exchanges: Locked<[Int: SessionExchange]>

    /// Makes a session whose delegate is called on `queue`.
    init(_ configuration: URLSessionConfiguration, queue: OperationQueue) {
        // The session retains its delegate until it is invalidated. The delegate knows the running exchanges and not
        // the engine, so there is no cycle while nothing runs, and the engine's `deinit` comes.
        exchanges = Locked([:])
        session = URLSession(configuration: configuration, delegate: SessionDelegate(exchanges), delegateQueue: queue)
    }

    /// Makes the task for a request, whose events go to `exchange`. Traps on an invalidated session.
    func makeTask(for request: URLRequest, body: SessionBody, of exchange: SessionExchange) -> URLSessionTask {
        // Only an upload task tells how much was sent.
        let task: URLSessionTask =
            switch body {
            case .none: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let file): session.uploadTask(with: request, fromFile: file)
            }
        let identifier = task.taskIdentifier
        exchanges.withLock { $0[identifier] = exchange }
        return task
    }

    /// Invalidates the session when nothing runs any more.
    func finish() {
        session.finishTasksAndInvalidate()
    }

    /// Cancels what runs, and invalidates the session. Waits for the work queue, so not on the caller's thread.
    func cancel() {
        session.invalidateAndCancel()
    }
}
