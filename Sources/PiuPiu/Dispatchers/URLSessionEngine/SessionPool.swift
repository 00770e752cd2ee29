import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sessions of an engine, made when they are first needed. On Apple platforms one is enough.
///
/// On Linux large responses have a session of their own: they are told on a queue of their own, so that a small response
/// doesn't stand in line behind the chunks of a large one.
///
/// And each request with a body has one, and with it a connection of its own. When a connection that is used again turns
/// out to be closed, libcurl sends the request a second time, and FoundationNetworking has no body left for it: the task
/// hangs until its timeout, or sends an empty body. So a request that may not be repeatable is never sent twice
/// behind the caller's back, either. (`Connection: close` is not enough, as not every server says that it complies.)
struct SessionPool: Sendable {
    /// A session reports what arrives faster than it is written to a file; beyond this many reports `URLSession` waits,
    /// so that memory stays bounded. (A report is a chunk of at most 16 KB.)
    private static let bulkReports = 64

    private let configuration: URLSessionConfiguration
    private let events: DispatchQueue
    private let bulkEvents: DispatchQueue
    private let sessions = Locked<[Bool: ExchangeSession]>([:])

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
        events = DispatchQueue(label: "PiuPiu.events", target: .global())
        // Not over the pool, which may be busy with threads that wait for `URLSession`, which may wait for this queue.
        bulkEvents = DispatchQueue(label: "PiuPiu.bulk")
    }

    /// Where events are told, those of large responses or the others: serial, and off the main thread.
    func events(isBulk: Bool) -> DispatchQueue { isBulk ? bulkEvents : events }

    /// Makes and starts the task for a request, whose events go to `exchange`; only while the engine's sessions may be
    /// used.
    func start(
        _ request: URLRequest, body: SessionBody, isBulk: Bool, of exchange: SessionExchange
    ) -> URLSessionTask {
        #if !canImport(Darwin)
            if !body.isEmpty {
                let session = makeSession(isBulk: isBulk)
                let task = session.makeTask(for: request, body: body, of: exchange)
                task.resume()
                // When the task is over, that is.
                session.finish()
                return task
            }
        #endif
        let session = sessions.withLock { sessions in
            if let session = sessions[isBulk] { return session }
            let session = makeSession(isBulk: isBulk)
            sessions[isBulk] = session
            return session
        }
        let task = session.makeTask(for: request, body: body, of: exchange)
        task.resume()
        return task
    }

    private func makeSession(isBulk: Bool) -> ExchangeSession {
        ExchangeSession(
            configuration,
            queue: .serial(on: events(isBulk: isBulk), limit: isBulk ? Self.bulkReports : nil))
    }

    /// Invalidates the sessions, each when nothing runs in it any more.
    func finish() {
        for session in sessions.withLock({ $0.values }) { session.finish() }
    }

    /// Cancels what runs, and invalidates the sessions. Waits for the work queue, so not on the caller's thread.
    func cancel() {
        for session in sessions.withLock({ $0.values }) { session.cancel() }
    }
}
