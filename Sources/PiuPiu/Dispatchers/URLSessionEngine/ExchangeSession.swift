import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession`, the exchanges that its tasks belong to (tasks are numbered per session), and the queue on which their
/// events are told.
final class ExchangeSession: Sendable {
    /// Where events are told: serial, and off the main thread.
    let events: DispatchQueue

    private let session: URLSession
    private let exchanges: Locked<[Int: SessionExchange]>
    private let isForOneTask: Bool
    private let largeResponses = Locked(0)

    init(_ configuration: URLSessionConfiguration, isForOneTask: Bool = false) {
        self.isForOneTask = isForOneTask
        events = DispatchQueue(label: "PiuPiu.events")
        // The session retains its delegate until it is invalidated. The delegate knows the running exchanges and not
        // the engine, so there is no cycle while nothing runs, and the engine's `deinit` comes.
        exchanges = Locked([:])
        let queue = SessionEventQueue(events)
        session = URLSession(configuration: configuration, delegate: SessionDelegate(exchanges), delegateQueue: queue)
        queue.pauseReading(of: session)
    }

    /// Makes and starts the task for a request, whose events go to `exchange`. Traps on an invalidated session.
    func start(_ request: URLRequest, body: SessionBody, of exchange: SessionExchange) -> URLSessionTask {
        // Only an upload task tells how much was sent.
        let task: URLSessionTask =
            switch body {
            case .none: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let file): session.uploadTask(with: request, fromFile: file)
            }
        let identifier = task.taskIdentifier
        exchanges.withLock { $0[identifier] = exchange }
        task.resume()
        // When the task is over, that is.
        if isForOneTask { finish() }
        return task
    }

    /// Whether responses are arriving here that others had better not stand in line with.
    var isBusy: Bool { largeResponses.withLock { $0 > 0 } }

    /// A large response has begun to arrive.
    func beginLargeResponse() { largeResponses.withLock { $0 += 1 } }

    /// It is over.
    func endLargeResponse() { largeResponses.withLock { $0 -= 1 } }

    /// Invalidates the session when nothing runs any more.
    func finish() {
        session.finishTasksAndInvalidate()
    }

    /// Cancels what runs, and invalidates the session. Waits for the work queue, so not on the caller's thread.
    func cancel() {
        session.invalidateAndCancel()
    }
}
