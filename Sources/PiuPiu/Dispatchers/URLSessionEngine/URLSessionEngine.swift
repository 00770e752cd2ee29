#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The engine that comes with the package: `URLSession` for `http` and `https`, and a reader of its own for `file` and
/// `data` URLs, which legacy code uses as mock responses.
///
/// Dispatchers share an engine, and each running exchange keeps it alive; when both are gone, the session is
/// invalidated and freed.
///
/// On Linux `URLSession` needs a lot of care; who does what, and why:
/// - ``ExchangeState`` decides, ``SessionExchange`` carries out: settles once, stops a task on a queue of its own,
///   answers a redirect under the lock or not at all, sends the body of a 307 again.
/// - ``TrafficControl`` keeps requests beyond the limit per host waiting outside of `URLSession`, and never lets a task
///   be made on an invalidated session.
/// - ``SessionDelegate`` brings the session's events here.
/// - ``SessionSettings`` leaves out the cache, the hidden cookie jar and what else does not work.
///
/// Three answers of a server kill the process inside FoundationNetworking, and nothing can be done about it here:
/// chunked trailers, a connection closed in the middle of the headers, and a `Content-Length` near 2^63. A request
/// without a body is sent again silently when the keep-alive connection that it was sent on turns out to be closed.
package final class URLSessionEngine: TransferEngine {
    /// Where the delegate is called and every event of the network is told: serial, over the global pool.
    let events = DispatchQueue(label: "PiuPiu.events", target: .global())

    /// Where tasks are made and resumed, so that callers don't wait for `URLSession`'s process-wide work queue.
    let launcher = DispatchQueue(label: "PiuPiu.launcher", target: .global())

    private let settings: SessionSettings
    private let session: ExchangeSession
    private let sendingSession: ExchangeSession
    private let traffic: Locked<TrafficControl<any EngineExchange>>

    /// Makes an engine.
    ///
    /// - Parameter configuration: what the session is made with. Without one there is neither a cookie jar nor a cache.
    ///   Cookies are kept in the jar that a configuration names: `.default` names the one that the whole process
    ///   shares, `.ephemeral` one of its own. A cache is never used on Linux.
    package init(configuration: URLSessionConfiguration? = nil) {
        settings = SessionSettings(configuration)
        traffic = Locked(TrafficControl(limitPerHost: settings.limitPerHost))
        session = ExchangeSession(settings.configuration, events: events)
        #if canImport(Darwin)
            sendingSession = session
        #else
            sendingSession = ExchangeSession(settings.configuration, events: events)
        #endif
    }

    deinit {
        // Nothing runs any more. (This returns at once, on any thread.)
        end(.finishing)
    }

    // MARK: TransferEngine

    package func start(
        _ request: URLRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let ticket = traffic.withLock { $0.makeTicket() }
        let exchange: any EngineExchange
        let host: String
        if let url = request.url, let resource = LocalResource(url) {
            exchange = LocalExchange(resource, of: request, ticket: ticket, engine: self, onEvent: onEvent)
            host = "local"
        } else {
            do {
                let valid = try settings.completed(request).validated()
                exchange = SessionExchange(valid, ticket: ticket, engine: self, onEvent: onEvent)
                host = valid.url?.origin ?? ""
            } catch {
                return refuse(error, onEvent)
            }
        }
        switch traffic.withLock({ $0.admit(exchange, ticket: ticket, to: host) }) {
        case .launch(let isAlone):
            // Straight from the caller while nothing else runs, except from the main thread: another session of the
            // process may keep the work queue busy.
            exchange.launch(directly: isAlone && !Thread.isMainThread)
        case .wait:
            break
        case .refused:
            return refuse(TransferError(.sessionInvalidated, url: request.url), onEvent)
        }
        if let deadline = settings.deadline {
            events.asyncAfter(deadline: .now() + deadline) { [weak exchange, url = request.url] in
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

    private func refuse(
        _ error: any Error, _ onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        events.async { onEvent(.failed(error)) }
        return RefusedExchange()
    }

    // MARK: What exchanges ask for

    /// Makes the task for `request`, whose events go to `exchange`. Only after `holdSession()`.
    ///
    /// On Linux a request with a body gets a connection of its own. When a connection that is used again turns out to
    /// be closed, libcurl sends the request a second time, and FoundationNetworking then has no body left: the task
    /// spins until its timeout, or sends an empty body if it came from a stream. It also means that such a request,
    /// which may not be repeatable, is never sent twice behind the caller's back.
    func makeTask(for request: URLRequest, of exchange: SessionExchange) -> URLSessionTask {
        #if !canImport(Darwin)
            if request.httpBody?.isEmpty == false || request.httpBodyStream != nil {
                var request = request
                request.setValue("close", forHTTPHeaderField: "Connection")
                return sendingSession.makeTask(for: request, of: exchange)
            }
        #endif
        return session.makeTask(for: request, of: exchange)
    }

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
    func withdraw(_ exchange: some EngineExchange) {
        let ending = traffic.withLock { traffic in
            traffic.withdraw(exchange.ticket)
            return traffic.sessionEnding()
        }
        invalidate(ending)
    }

    /// An exchange that was launched is over: the next in line is launched.
    func leave(_ exchange: some EngineExchange) {
        let (next, ending) = traffic.withLock { ($0.leave(exchange.ticket), $0.sessionEnding()) }
        next?.launch(directly: false)
        invalidate(ending)
    }

    // MARK: The end

    private func end(_ wanted: TrafficControl<any EngineExchange>.Ending) {
        let cancelled = traffic.withLock { $0.end(wanted) }
        // Each of them first: from then on none answers a redirect, which would trap after the session's own cancel.
        for exchange in cancelled { exchange.cancel() }
        releaseSession()
    }

    private func invalidate(_ ending: TrafficControl<any EngineExchange>.Ending?) {
        switch ending {
        case .finishing:
            session.finish()
            sendingSession.finish()
        case .cancelling:
            // Waits for the work queue, like the cancellation of a task.
            SessionExchange.canceller.async { [session, sendingSession] in
                session.cancel()
                sendingSession.cancel()
            }
        case nil:
            break
        }
    }
}

/// The handle of an exchange that was never admitted: there is nothing to cancel.
private struct RefusedExchange: TransferHandle {
    func cancel() {}
}
