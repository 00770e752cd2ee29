import Dispatch

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The engine that comes with the package: `URLSession`.
///
/// Dispatchers share an engine, and each running exchange keeps it alive; when both are gone, the session is
/// invalidated and freed.
///
/// On Linux `URLSession` needs a lot of care; who does what, and why:
/// - ``ExchangeState`` decides, ``SessionExchange`` carries out: settles once, stops a task on a queue of its own,
///   answers a redirect under the lock or not at all, sends the body of a 307 again.
/// - ``TrafficControl`` keeps requests beyond the limit per host waiting outside of `URLSession`, and never lets a task
///   be made on an invalidated session.
/// - ``SessionPool`` keeps requests with bodies, and large responses, apart from the others.
/// - ``SessionEventLine`` makes a session pause between bursts, so that others get their turn and memory stays bounded.
/// - ``SessionDelegate`` brings the session's events here.
/// - ``SessionSettings`` leaves out the cache, the hidden cookie jar and what else does not work.
///
/// Three answers of a server kill the process inside FoundationNetworking, and nothing can be done about it here:
/// chunked trailers, a connection closed in the middle of the headers, and a `Content-Length` near 2^63. A request
/// without a body is sent again silently when the keep-alive connection that it was sent on turns out to be closed.
package final class URLSessionEngine: TransferEngine {
    /// Where tasks are made and resumed, so that callers don't wait for `URLSession`'s process-wide work queue.
    let launcher = DispatchQueue(label: "PiuPiu.launcher", target: .global())

    let settings: SessionSettings
    let sessions: SessionPool
    private let traffic: Locked<TrafficControl<SessionExchange>>

    /// Makes an engine.
    ///
    /// - Parameter configuration: what the session is made with. Without one there is neither a cookie jar nor a cache.
    ///   Cookies are kept in the jar that a configuration names: `.default` names the one that the whole process
    ///   shares, `.ephemeral` one of its own. A cache is never used on Linux.
    package init(configuration: URLSessionConfiguration? = nil) {
        settings = SessionSettings(configuration)
        traffic = Locked(TrafficControl(limitPerHost: settings.limitPerHost))
        sessions = SessionPool(settings.configuration)
    }

    deinit {
        // Nothing runs any more. (This returns at once, on any thread.)
        end(.finishing)
    }

    // MARK: TransferEngine

    package var streamsBodies: Bool { false }

    package func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let complete: TransferRequest
        do {
            complete = try settings.completed(request)
        } catch {
            return RefusedExchange(error, onEvent: onEvent)
        }
        let ticket = traffic.withLock { $0.makeTicket() }
        let exchange = SessionExchange(complete, ticket: ticket, engine: self, onEvent: onEvent)
        let origin = complete.urlRequest.url?.origin ?? ""
        // Large transfers wait for each other, and nobody waits for them.
        let lane = complete.expectsLargeResponse ? "large \(origin)" : origin
        switch traffic.withLock({ $0.admit(exchange, ticket: ticket, to: lane) }) {
        case .launch(let isAlone):
            // Straight from the caller while nothing else runs, except from the main thread: another session of the
            // process may keep the work queue busy. A file is read elsewhere.
            exchange.launch(directly: isAlone && !Thread.isMainThread && !complete.body.isFile)
        case .wait:
            break
        case .refused:
            return RefusedExchange(
                TransferError(.sessionInvalidated, url: request.urlRequest.url), onEvent: onEvent)
        }
        if let deadline = settings.deadline {
            launcher.asyncAfter(deadline: .now() + deadline) { [weak exchange, url = request.urlRequest.url] in
                exchange?.interrupt(with: TransferError(.timedOut, url: url))
            }
        }
        return exchange
    }

    package func finishTasksAndInvalidate() {
        end(.finishing)
    }

    package func invalidateAndCancel() {
        end(.cancelling)
    }

    // MARK: What exchanges ask for

    /// Whether a task may be made; if so, `releaseSession()` has to follow.
    func holdSession() -> Bool {
        traffic.withLock { $0.holdSession() }
    }

    /// The task that was asked for is made.
    func releaseSession() {
        let ending = traffic.withLock { traffic in
            traffic.releaseSession()
            return traffic.sessionEnding()
        }
        invalidate(ending)
    }

    /// Takes a waiting exchange out of the line; one that is under way leaves when it ends.
    func withdraw(_ exchange: SessionExchange) {
        let ending = traffic.withLock { traffic in
            traffic.withdraw(exchange.ticket)
            return traffic.sessionEnding()
        }
        invalidate(ending)
    }

    /// An exchange that was launched is over: the next in line is launched.
    func leave(_ exchange: SessionExchange) {
        let (next, ending) = traffic.withLock { ($0.leave(exchange.ticket), $0.sessionEnding()) }
        next?.launch(directly: false)
        invalidate(ending)
    }

    // MARK: The end

    private func end(_ wanted: TrafficControl<SessionExchange>.Ending) {
        let cancelled = traffic.withLock { $0.end(wanted) }
        // Each of them first: from then on none answers a redirect, which would trap after the session's own cancel.
        for exchange in cancelled { exchange.cancel() }
        releaseSession()
    }

    private func invalidate(_ ending: TrafficControl<SessionExchange>.Ending?) {
        switch ending {
        case .finishing:
            sessions.finish()
        case .cancelling:
            // Waits for the work queue, like the cancellation of a task.
            SessionExchange.canceller.async { [sessions] in sessions.cancel() }
        case nil:
            break
        }
    }
}
