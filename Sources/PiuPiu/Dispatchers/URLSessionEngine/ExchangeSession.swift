import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession`, the exchanges that its tasks belong to (tasks are numbered per session), and the line of their events.
final class ExchangeSession: Sendable {
    let line = SessionEventLine()
    private let session: URLSession
    private let exchanges: Locked<[Int: SessionExchange]>
    private let isForOneTask: Bool

    init(_ configuration: URLSessionConfiguration, isForOneTask: Bool = false) {
        self.isForOneTask = isForOneTask
        // The session retains its delegate until it is invalidated. The delegate knows the running exchanges and not
        // the engine, so there is no cycle while nothing runs, and the engine's `deinit` comes.
        exchanges = Locked([:])
        session = URLSession(
            configuration: configuration, delegate: SessionDelegate(exchanges, events: line),
            delegateQueue: SessionEventQueue(line))
        line.pauseReading(of: session)
    }

    /// Makes and starts the task for a request, whose events go to `exchange`. Traps on an invalidated session.
    func start(_ request: URLRequest, body: SessionBody, of exchange: SessionExchange) -> URLSessionTask {
        let task = line.withoutReading {
            let task = makeTask(for: request, body)
            let identifier = task.taskIdentifier
            exchanges.withLock { $0[identifier] = exchange }
            task.resume()
            return task
        }
        // When the task is over, that is.
        if isForOneTask { finish() }
        return task
    }

    private func makeTask(for request: URLRequest, _ body: SessionBody) -> URLSessionTask {
        // Only an upload task tells how much was sent.
        switch body {
        case .none: session.dataTask(with: request)
        case .data(let data): session.uploadTask(with: request, from: data)
        case .file(let file): session.uploadTask(with: request, fromFile: file)
        }
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
