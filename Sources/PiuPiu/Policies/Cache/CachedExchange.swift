import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a ``CachingEngine``: looks up, asks the server, and serves the stored or the new response.
final class CachedExchange: ExplainedHandle {
    private struct State {
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var relay = HandleRelay()
        /// The response to serve when the hop that validates it has ended.
        var validated: (StoredResponse, CacheStatus, setsCookies: Bool)?
        /// The metrics of that hop.
        var metrics: TransferMetrics?
        /// The number of the current hop: events of earlier ones are ignored.
        var hop = 0
        /// Whether the head of the server's response was passed on: a stored response can't replace it any more.
        var hasPassedHead = false

        /// Begins another hop. Returns the handle of the previous one.
        mutating func beginHop() -> (any TransferHandle)? {
            hop += 1
            return relay.goOn()
        }
    }

    private let request: TransferRequest
    private let question: CacheQuestion
    private let engine: CachingEngine
    private let state: Locked<State>

    init(
        _ request: TransferRequest, _ question: CacheQuestion, engine: CachingEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.request = request
        self.question = question
        self.engine = engine
        state = Locked(State(onEvent: onEvent))
    }

    private var store: CacheStore { engine.store }

    func begin() {
        let stored = store.stored(for: question), plan = plan(stored)
        guard plan.answer == nil, question.isAnswerable, store.mayHoldMore(than: stored, for: question) else {
            return carryOut(plan)
        }
        // Not on the queue of the folder, where callers' code must not run. In a task, as the engine's tasks inherit
        // from the one that starts the exchange (contract rule INHERIT).
        Task { carryOut(self.plan(await store.load(question))) }
    }

    private func plan(_ stored: [StoredResponse]) -> CachePlan {
        CachePlan.plan(question, stored: stored, at: store.now())
    }

    private func carryOut(_ plan: CachePlan) {
        switch plan {
        case .serve(let stored, _), .serveAndRefresh(let stored):
            // Opening and verifying a file must not block the caller's thread.
            DispatchQueue.global().async { self.serve(stored, plan) }
        case .validate(let chosen, let all, let reason):
            let hop = CacheHop(question: question, chosen: chosen, all: all, reason: reason)
            send(request.validating(hop), by: engine.validating)
        case .forward(let reason):
            send(request.asking(CacheHop(question: question, reason: reason)), by: engine.filling)
        case .refuse:
            var head = TransferHead(url: question.url, status: 504)
            head.cacheStatus = CacheStatus(cache: CacheStatus.ownName, detail: "only-if-cached")
            let answer = head
            DispatchQueue.global().async { self.deliver(answer, .empty, of: nil) }
        }
    }

    private func serve(_ stored: StoredResponse, _ plan: CachePlan) {
        guard let body = StoredContent(stored) else { return sendWithout(stored) }
        if case .serveAndRefresh = plan { engine.refresh(request, question, stored) }
        deliver(engine.head(stored, for: request, question, plan.isStale), body, of: stored)
    }

    // MARK: Asking the server

    /// The stored response can't be read: goes on as if it were missing.
    private func sendWithout(_ stored: StoredResponse) {
        store.removeUnreadable(stored)
        send(request.asking(CacheHop(question: question, reason: .miss)), by: engine.filling)
    }

    private func send(_ request: TransferRequest, by engine: any TransferEngine) {
        guard let hop = state.withLock({ $0.relay.isCancelled ? nil : $0.hop }) else {
            return fail(CancellationError())
        }
        let receiver = TransferReceiver(url: request.urlRequest.url) { [self] event in
            receive(event, of: hop, request)
        }
        let handle = engine.start(request) { receiver.receive($0) }
        let isCurrent = state.withLock { state in
            guard state.hop == hop else { return false }
            state.relay.attach(handle)
            return true
        }
        // Otherwise it was cancelled while it was started.
        if isCurrent { apply() } else { handle.cancel() }
    }

    private func receive(_ event: TransferEvent, of hop: Int, _ request: TransferRequest) {
        guard state.withLock({ $0.hop == hop && $0.onEvent != nil }) else { return }
        switch event {
        case .head(let head, _): receive(head, request)
        case .measured(let metrics):
            let isKept = state.withLock { state in
                guard state.validated != nil else { return false }
                state.metrics = metrics
                return true
            }
            if !isKept { pass(event) }
        case .body:
            if state.withLock({ $0.validated == nil }) { pass(event) }
        case .finished: if !handOutValidated() { pass(event) }
        case .failed(let error):
            // A 304 consists of its head: an error after it doesn't matter.
            if handOutValidated() { return }
            guard let stored = stale(for: request, after: error) else { return pass(event) }
            release(state.withLock { $0.beginHop() })
            let detail = CacheStatus.Failure.error
            handOut(stored, status(stored, request, 0, detail), setsCookies: false)
        case .sent:
            pass(event)
        }
    }

    private func handOutValidated() -> Bool {
        guard let (stored, status, setsCookies) = state.withLock({ $0.validated.take() }) else { return false }
        release(state.withLock { $0.beginHop() })
        handOut(stored, status, setsCookies: setsCookies)
        return true
    }

    private func receive(_ head: TransferHead, _ request: TransferRequest) {
        guard let status = head.status, status >= 200 else {
            return pass(.head(head, request: self.request.urlRequest))
        }
        let hop = request.cacheHop
        if status == 304, hop?.all.isEmpty == false {
            guard let stored = head.validated else {
                // It validates no stored response: requests the whole response.
                giveUpHop()
                return send(
                    self.request.asking(CacheHop(question: question, reason: hop?.reason ?? .stale)), by: engine.filling
                )
            }
            store.count { $0.validations += 1 }
            let answer = self.status(stored, request, 304, nil)
            // The cookies of the 304 are new, and have replaced the stored ones.
            let setsCookies = !head.values(for: "set-cookie").isEmpty
            state.withLock { $0.validated = (stored, answer, setsCookies) }
            return
        }
        if [500, 502, 503, 504].contains(status), let stored = hop?.chosen, mayServe(stored, isDisconnected: false) {
            giveUpHop()
            return handOut(stored, self.status(stored, request, status, .status), setsCookies: false)
        }
        if question.isAnswerable { store.count { $0.misses += 1 } }
        state.withLock { $0.hasPassedHead = true }
        if let status = head.cacheStatus { self.request.observation?.report(.cacheStatus(status)) }
        pass(.head(head, request: self.request.urlRequest))
    }

    private func giveUpHop() {
        let handle = state.withLock { $0.beginHop() }
        handle?.cancel()
    }

    // MARK: Serving stored responses

    /// The response that may be served instead of an error.
    private func stale(for request: TransferRequest, after error: any Error) -> StoredResponse? {
        guard let stored = request.cacheHop?.chosen,
            state.withLock({ !$0.relay.isCancelled && !$0.hasPassedHead })
        else { return nil }
        switch error {
        case let error as TransferError:
            let isDisconnected = [.cannotConnect, .hostNotFound, .connectionLost].contains(error.kind)
            let isFailure = isDisconnected || [.timedOut, .truncated, .badResponse].contains(error.kind)
            return isFailure && mayServe(stored, isDisconnected: isDisconnected) ? stored : nil
        case is CircuitOpenError:
            return mayServe(stored, isDisconnected: true) ? stored : nil
        default:
            return nil
        }
    }

    private func mayServe(_ stored: StoredResponse, isDisconnected: Bool) -> Bool {
        question.method == "GET"
            && CachePlan.mayServe(stored, to: question, afterFailureAt: store.now(), isDisconnected: isDisconnected)
    }

    private func status(
        _ stored: StoredResponse, _ request: TransferRequest, _ forwardStatus: Int, _ failure: CacheStatus.Failure?
    ) -> CacheStatus {
        if failure != nil { store.count { $0.staleHits += 1 } }
        return CacheStatus(
            cache: CacheStatus.ownName, forward: request.cacheHop?.reason ?? .stale,
            forwardStatus: forwardStatus == 0 ? nil : forwardStatus, ttl: stored.timeToLive(at: store.now()),
            detail: failure?.rawValue)
    }

    /// Serves a stored response after the server was asked.
    private func handOut(_ stored: StoredResponse, _ status: CacheStatus, setsCookies: Bool) {
        guard case .file = stored.body else { return handOutNow(stored, status, setsCookies: setsCookies) }
        // Reading a file must not block the engine's thread.
        DispatchQueue.global().async { self.handOutNow(stored, status, setsCookies: setsCookies) }
    }

    private func handOutNow(_ stored: StoredResponse, _ status: CacheStatus, setsCookies: Bool) {
        guard !state.withLock({ $0.relay.isCancelled }) else { return fail(CancellationError()) }
        guard let body = StoredContent(stored) else { return sendWithout(stored) }
        store.use(stored)
        var head = stored.head(url: question.url, at: store.now(), setsCookies: setsCookies)
        head.cacheStatus = status
        request.observation?.report(.cacheStatus(status))
        deliver(head, body, of: stored)
    }

    private func deliver(_ head: TransferHead, _ content: StoredContent, of stored: StoredResponse?) {
        guard !state.withLock({ $0.relay.isCancelled }) else { return fail(CancellationError()) }
        let isWithBody = question.method != "HEAD"
        guard case .file(let file, let handle) = content, isWithBody else {
            pass(.head(head, request: request.urlRequest))
            if case .data(let data) = content, isWithBody, !data.isEmpty { pass(.body(data)) }
            return finish()
        }
        let hop = state.withLock { $0.hop }
        let delivery = StoredDelivery(file, handle) { [store] in
            if let stored { store.removeUnreadable(stored) }
        } onEvent: { [self] event in
            guard state.withLock({ $0.hop == hop }) else { return }
            if case .finished = event { finish() } else { pass(event) }
        }
        state.withLock { $0.relay.attach(delivery) }
        apply()
        delivery.begin(with: head, answering: request.urlRequest)
    }

    private func finish() {
        if let metrics = state.withLock({ $0.metrics.take() }) { pass(.measured(metrics)) }
        pass(.finished)
    }

    private func fail(_ error: any Error) { pass(.failed(error)) }

    private func pass(_ event: TransferEvent) {
        guard event.isTerminal else {
            state.withLock { $0.onEvent }?(event)
            return
        }
        let (onEvent, handle, isCancelled) = state.withLock { state in
            (state.onEvent.take(), state.relay.end(), state.relay.isCancelled)
        }
        release(handle)
        // The engine below may have ended before it was cancelled.
        if isCancelled, case .failed = event { onEvent?(.failed(CancellationError())) } else { onEvent?(event) }
    }

    private func release(_ handle: (any TransferHandle)?) { withExtendedLifetime(handle) {} }

    // MARK: From outside

    func cancel(because error: any Error) {
        state.withLock { $0.relay.cancel(because: error) }
        apply()
    }

    func pause() { hold(true) }

    func resume() { hold(false) }

    private func hold(_ isHeld: Bool) {
        state.withLock { $0.relay.isHeld = isHeld }
        apply()
    }

    private func apply() {
        while let act = state.withLock({ $0.relay.next() }) {
            act.perform()
            state.withLock { $0.relay.hasActed() }
        }
    }
}

extension CacheStatus {
    /// Why a stale response was served after the server was asked.
    fileprivate enum Failure: String {
        case status = "stale-if-error"
        case error = "stale-on-error"
    }
}
