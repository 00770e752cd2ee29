import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sessions of an engine, made when they are first needed. On Apple platforms one is enough.
///
/// On Linux large responses have a session of their own, and a request that starts while another session receives one
/// gets a third: a small response doesn't stand in line behind the chunks of a large one.
///
/// And each request with a body has one, and with it a connection of its own. When a connection that is used again turns
/// out to be closed, libcurl sends the request a second time, and FoundationNetworking has no body left for it: the task
/// hangs until its timeout, or sends an empty body. So a request that may not be repeatable is never sent twice
/// behind the caller's back, either. (`Connection: close` is not enough, as not every server says that it complies.)
struct SessionPool: Sendable {
    private struct State {
        var bulk: ExchangeSession?
        var others: [ExchangeSession] = []
    }

    /// With so many sessions busy, large responses have to share one with others.
    private static let limit = 4

    private let configuration: URLSessionConfiguration
    private let state = Locked(State())

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
    }

    /// The session for a request; only while the engine's sessions may be used.
    ///
    /// - Parameters:
    ///   - isBulk: whether the response is expected to be large.
    ///   - hasBody: whether the request has a body.
    func session(isBulk: Bool, hasBody: Bool) -> ExchangeSession {
        #if canImport(Darwin)
            let (isBulk, hasBody) = (false, false)
        #endif
        guard !hasBody else { return ExchangeSession(configuration, isForOneTask: true) }
        return state.withLock { state in
            if isBulk {
                if let session = state.bulk { return session }
                let session = ExchangeSession(configuration)
                state.bulk = session
                return session
            }
            if let session = state.others.first(where: { !$0.line.isBusy }) { return session }
            if state.others.count == Self.limit { return state.others[0] }
            let session = ExchangeSession(configuration)
            state.others.append(session)
            return session
        }
    }

    /// Invalidates the sessions, each when nothing runs in it any more.
    func finish() {
        for session in all { session.finish() }
    }

    /// Cancels what runs, and invalidates the sessions. Waits for the work queue, so not on the caller's thread.
    func cancel() {
        for session in all { session.cancel() }
    }

    private var all: [ExchangeSession] {
        state.withLock { state in state.others + (state.bulk.map { [$0] } ?? []) }
    }
}
