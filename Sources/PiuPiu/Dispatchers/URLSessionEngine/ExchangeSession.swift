import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` and the exchanges that its tasks belong to. (Tasks are numbered per session.)
struct ExchangeSession: Sendable {
    private let session: URLSession
    private let exchanges: Locked<[Int: SessionExchange]>

    /// Makes a session whose delegate is called on `events`.
    init(_ configuration: URLSessionConfiguration, events: DispatchQueue) {
        // The session retains its delegate until it is invalidated. The delegate knows the running exchanges and not
        // the engine, so there is no cycle while nothing runs, and the engine's `deinit` comes.
        exchanges = Locked([:])
        session = URLSession(
            configuration: configuration, delegate: SessionDelegate(exchanges), delegateQueue: .serial(on: events))
    }

    /// Makes the task for `request`, whose events go to `exchange`. Traps on an invalidated session.
    func makeTask(for request: URLRequest, of exchange: SessionExchange) -> URLSessionTask {
        let task: URLSessionTask
        if let body = request.httpBody, !body.isEmpty {
            // An upload task tells how much was sent.
            task = session.uploadTask(with: request, from: body)
        } else {
            task = session.dataTask(with: request)
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
