import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sessions of an engine, made when they are first needed. On Apple platforms one is enough.
struct SessionPool: Sendable {
    /// What a session is for. On Linux each kind keeps out of the way of the others.
    struct Kind: Hashable, Sendable {
        /// Whether its requests have bodies, and so get a connection each.
        ///
        /// When a connection that is used again turns out to be closed, libcurl sends the request a second time, and
        /// FoundationNetworking then has no body left: the task spins until its timeout, or sends an empty body if it
        /// came from a stream. It also means that such a request, which may not be repeatable, is never sent twice
        /// behind the caller's back.
        var hasBody = false
        /// Whether its responses are large: they are told on a queue of their own, so that a small response doesn't
        /// stand in line behind the chunks of a large one.
        var isBulk = false
    }

    /// A session reports what arrives faster than it is written to a file; beyond this many reports `URLSession` waits,
    /// so that memory stays bounded. (A report is a chunk of at most 16 KB, as a rule.)
    private static let bulkReports = 256

    private let configuration: URLSessionConfiguration
    private let events: DispatchQueue
    private let bulkEvents: DispatchQueue
    private let sessions = Locked<[Kind: ExchangeSession]>([:])

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
        events = DispatchQueue(label: "PiuPiu.events", target: .global())
        bulkEvents = DispatchQueue(label: "PiuPiu.bulk", target: .global())
    }

    /// Where the events of a kind are told: serial, over the global pool.
    func events(of kind: Kind) -> DispatchQueue { kind.isBulk ? bulkEvents : events }

    /// The session of a kind; only while the engine's sessions may be used.
    func session(_ kind: Kind) -> ExchangeSession {
        #if canImport(Darwin)
            let kind = Kind()
        #endif
        return sessions.withLock { sessions in
            if let session = sessions[kind] { return session }
            let session = ExchangeSession(
                configuration,
                queue: .serial(on: events(of: kind), limit: kind.isBulk ? Self.bulkReports : nil))
            sessions[kind] = session
            return session
        }
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
