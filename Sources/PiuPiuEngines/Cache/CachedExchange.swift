import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a ``CachingEngine``: looks up, asks the server, and serves the stored or the new response.
final class CachedExchange: ExplainedHandle, RelayedExchange {
    private struct State {
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var relay = HandleRelay()
        /// The response to serve when the hop that validates it has ended.
        var validated: (StoredResponse, CacheStatus, cookies: [String])?
        /// The metrics of that hop.
        var metrics: TransferMetrics?
        /// The number of the current hop: events of earlier ones are ignored.
        var hop = 0
        /// The request of that hop.
        var sent: TransferRequest?
        /// Whether the head of the server's response was passed on: a stored response can't replace it any more.
        var hasPassedHead = false
        /// Whether a stored response was promised instead of the server's, and is about to be served.
        var isRecovering = false
        /// Sends the whole request in the caller's task, if a stored response turns out to be no answer.
        var whole: InheritingWork?

        func isCurrent(_ hop: Int) -> Bool { self.hop == hop && onEvent != nil }

        /// Whether a hop has no answer yet, so that another one can take its place.
        func isUnanswered(_ hop: Int) -> Bool { isCurrent(hop) && !hasPassedHead && validated == nil }

        /// Begins another hop. Returns the handle of the previous one.
        mutating func beginHop() -> (any TransferHandle)? {
            hop += 1
            sent = nil
            isRecovering = false
            return relay.goOn()
        }
    }

    private let request: TransferRequest
    private let question: CacheQuestion
    private let engine: CachingEngine
    /// From before the look-up to the end: what was found is no answer after a removal, which ends the visit.
    private let visit: CacheStore.Visit
    private let state: Locked<State>

    init(
        _ request: TransferRequest, _ question: CacheQuestion, engine: CachingEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.request = request
        self.question = question
        self.engine = engine
        visit = engine.store.enter(question.key.uri)
        state = Locked(State(onEvent: onEvent))
    }

    private var store: CacheStore { engine.store }
    private var isWithBody: Bool { question.method != "HEAD" }

    func begin() {
        let stored = store.stored(for: question), plan = plan(stored)
        // What only the server can answer doesn't wait for the folder. The answer to a HEAD is compared with what is there.
        guard plan.answer == nil, question.isAnswerable, !(plan.isReload && isWithBody),
            store.mayHoldMore(than: stored, for: question)
        else { return carryOut(plan) }
        request.turn?.waitsForDisk()
        // Not on the queue of the folder, where callers' code must not run. In a task, as the engine's tasks inherit
        // from the one that starts the exchange (contract rule INHERIT).
        Task {
            let loaded = await store.load(question)
            do { try request.turn?.leavesDisk() } catch { return fail(error) }
            carryOut(self.plan(loaded))
        }
    }

    private func plan(_ stored: [StoredResponse]) -> CachePlan {
        CachePlan.plan(question, stored: stored, at: store.now())
    }

    private func carryOut(_ plan: CachePlan) {
        switch plan {
        case .serve(let stored, _), .serveAndRefresh(let stored):
            if case .file = stored.body { prepareWhole() }
            // Opening and verifying a file must not block the caller's thread.
            DispatchQueue.global().async { self.serve(stored, plan) }
        case .validate(let chosen, let all, let reason):
            let hop = CacheHop(question: question, chosen: chosen, all: all, reason: reason)
            prepareWhole()
            send(request.validating(hop), by: engine.validating)
        case .forward(let reason):
            // No stored response is going to be the answer.
            store.leave(visit)
            send(request.asking(CacheHop(question: question, reason: reason)), by: engine.filling)
        case .refuse:
            var head = TransferHead(url: question.url, status: 504)
            head.cacheStatus = .onlyIfCachedMiss
            let answer = head
            DispatchQueue.global().async { self.deliver(answer, .empty, of: nil) }
        }
    }

    private func serve(_ stored: StoredResponse, _ plan: CachePlan) {
        guard let body = content(of: stored) else { return }
        if case .serveAndRefresh = plan { engine.refresh(request, question, stored) }
        deliver(engine.head(stored, for: request, question, plan.isStale), body, of: stored)
    }

    /// The body of a stored response. `nil` if it can't be read, and the exchange goes on as if it were missing, or if
    /// it is too late for either.
    private func content(of stored: StoredResponse) -> StoredContent? {
        guard isWithBody else { return .empty }
        let turn = if case .file = stored.body { request.turn } else { nil as (any TransferTurn)? }
        turn?.waitsForDisk()
        let content = read(stored)
        do { try turn?.leavesDisk() } catch {
            content?.close()
            fail(error)
            return nil
        }
        if content == nil { sendWithoutStored() }
        return content
    }

    /// The body of a stored response; `nil` if it can't be read. A file that only can't be opened now stays: it may be
    /// good.
    private func read(_ stored: StoredResponse) -> StoredContent? {
        // Damage that is found before the head is delivered fails no request, as the server can still be asked: worth a
        // second reading of what the caller collects in memory.
        let isCollected = !request.expectsLargeResponse && !request.isStream
        do {
            if let content = try StoredContent(stored, isVerifiedAnew: isCollected) { return content }
            store.removeUnreadable(stored)
        } catch {}
        return nil
    }

    // MARK: Asking the server

    /// The stored response can't be read: goes on as if it were missing.
    private func sendWithoutStored() {
        if question.isOffline { carryOut(.refuse) } else { sendWhole(.miss) }
    }

    /// Waits for ``sendWhole(_:)`` in the current task.
    private func prepareWhole() {
        let work = InheritingWork()
        state.withLock { $0.whole = work }
    }

    /// Requests the whole response.
    private func sendWhole(_ reason: CacheStatus.Forward) {
        let whole = request.asking(CacheHop(question: question, reason: reason))
        state.withLock { $0.whole.take() }?.run { [self] in send(whole, by: engine.filling) }
    }

    private func send(_ request: TransferRequest, by engine: any TransferEngine) {
        let begun = state.withLock { state -> Int? in
            guard !state.relay.isCancelled else { return nil }
            state.sent = request
            state.isRecovering = false
            return state.hop
        }
        guard let hop = begun else { return fail(CancellationError()) }
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
        guard state.withLock({ $0.isCurrent(hop) }) else { return }
        switch event {
        case .head(let head, _): receive(head, of: hop, request)
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
            guard end(hop, because: error) else { return }
            handOut(stored, status(stored, request, 0, .error))
        case .sent:
            pass(event)
        }
    }

    private func handOutValidated() -> Bool {
        let (validated, handle) = state.withLock { state in
            let validated = state.validated.take()
            return (validated, validated == nil ? nil : state.beginHop())
        }
        release(handle)
        guard let (stored, status, cookies) = validated else { return false }
        handOut(stored, status, cookies: cookies)
        return true
    }

    private func receive(_ head: TransferHead, of hop: Int, _ request: TransferRequest) {
        guard let status = head.status, status >= 200 else {
            return pass(.head(head, request: self.request.urlRequest))
        }
        let asked = request.cacheHop
        if status == 304, asked?.all.isEmpty == false {
            guard let stored = head.validated else {
                // It validates no stored response: requests the whole response.
                guard end(hop, because: CancellationError()) else { return }
                return sendWhole(asked?.reason ?? .stale)
            }
            store.count { $0.validations += 1 }
            let answer = self.status(stored, request, 304, nil)
            // The cookies of the 304 are new, and have replaced the stored ones.
            let cookies = head.cookieLines
            state.withLock { if $0.isCurrent(hop) { $0.validated = (stored, answer, cookies) } }
            return
        }
        if CachePlan.isFailure(status), let stored = substitute(for: request),
            mayServe(stored, isDisconnected: false)
        {
            guard end(hop, because: CancellationError()) else { return }
            return handOut(stored, self.status(stored, request, status, .status))
        }
        let isAnswer = state.withLock { state in
            guard state.isCurrent(hop) else { return false }
            state.hasPassedHead = true
            return true
        }
        guard isAnswer else { return }
        if question.isAnswerable { store.count { $0.misses += 1 } }
        pass(.head(head, request: self.request.urlRequest))
    }

    /// Gives up a hop that has no answer yet. Returns `false` if it has one, or if another thread was first.
    ///
    /// - Parameter isRecovering: whether a stored response is promised instead.
    private func end(_ hop: Int, because error: any Error, isRecovering: Bool = false) -> Bool {
        let (isEnded, handle) = state.withLock { state -> (Bool, (any TransferHandle)?) in
            guard state.isUnanswered(hop) else { return (false, nil) }
            let handle = state.beginHop()
            state.isRecovering = isRecovering
            return (true, handle)
        }
        handle?.giveUp(because: error)
        return isEnded
    }

    // MARK: Serving stored responses

    /// The stored response that would be the answer by now: the chosen one, or what has replaced it while the server was
    /// asked; `nil` if it was removed meanwhile, also for a newer answer that isn't stored.
    private func substitute(for request: TransferRequest) -> StoredResponse? {
        guard let chosen = request.cacheHop?.chosen else { return nil }
        let stored = store.stored(for: question).completed(by: store.isOutdated(chosen) ? [] : [chosen])
        return store.goesOn(visit) ? CachePlan.choose(from: stored, for: question) : nil
    }

    /// The response that may be served instead of an error.
    private func stale(for request: TransferRequest, after error: any Error) -> StoredResponse? {
        guard let stored = substitute(for: request),
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
        let now = store.now(), ttl = stored.timeToLive(at: now)
        if failure != nil {
            // Another request has stored it meanwhile.
            let isFresh = stored.isFresh(at: now)
            store.count { if isFresh { $0.hits += 1 } else { $0.staleHits += 1 } }
            if isFresh { return CacheStatus(cache: CacheStatus.ownName, isHit: true, ttl: ttl) }
        }
        return CacheStatus(
            cache: CacheStatus.ownName, forward: request.cacheHop?.reason ?? .stale,
            forwardStatus: forwardStatus == 0 ? nil : forwardStatus, ttl: ttl, detail: failure?.rawValue)
    }

    /// Serves a stored response after the server was asked.
    ///
    /// - Parameter cookies: the values of `Set-Cookie` in the answer of the server that validates it.
    private func handOut(_ stored: StoredResponse, _ status: CacheStatus, cookies: [String] = []) {
        guard case .file = stored.body else { return handOutNow(stored, status, cookies: cookies) }
        // Reading a file must not block the engine's thread.
        DispatchQueue.global().async { self.handOutNow(stored, status, cookies: cookies) }
    }

    private func handOutNow(_ stored: StoredResponse, _ status: CacheStatus, cookies: [String] = []) {
        guard !state.withLock({ $0.relay.isCancelled }) else { return fail(CancellationError()) }
        guard let body = content(of: stored) else { return }
        store.use(stored)
        var head = stored.head(url: question.url, at: store.now(), newCookies: cookies)
        head.cacheStatus = status
        deliver(head, body, of: stored)
    }

    private func deliver(_ head: TransferHead, _ content: StoredContent, of stored: StoredResponse?) {
        guard !state.withLock({ $0.relay.isCancelled }) else {
            content.close()
            return fail(CancellationError())
        }
        guard case .file(let file, let handle) = content else {
            pass(.head(head, request: request.urlRequest))
            if case .data(let data) = content, !data.isEmpty { pass(.body(data)) }
            return finish()
        }
        let hop = state.withLock { $0.hop }
        let delivery = StoredDelivery(file, handle, of: question.url, turn: request.turn) { [store] in
            if let stored { store.removeUnreadable(stored) }
        } onEvent: { [self] event in
            guard state.withLock({ $0.hop == hop }) else { return }
            if case .finished = event { finish() } else { pass(event) }
        }
        attach(delivery)
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
            // Until then a caller of a shared exchange doesn't have its answer.
            if case .head = event { state.withLock { $0.isRecovering = false } }
            return
        }
        let (onEvent, handle, isCancelled) = state.withLock { state in
            (state.onEvent.take(), state.relay.end(), state.relay.isCancelled)
        }
        release(handle)
        store.leave(visit)
        // The engine below may have ended before it was cancelled.
        if isCancelled, case .failed = event { onEvent?(.failed(CancellationError())) } else { onEvent?(event) }
    }

    private func release(_ handle: (any TransferHandle)?) { withExtendedLifetime(handle) {} }

    // MARK: From outside

    func cancel(because error: any Error) {
        state.withLock { $0.relay.cancel(because: error) }
        apply()
    }

    func recover(from error: any Error) -> Bool {
        let (hop, request, isRecovering) = state.withLock { ($0.hop, $0.sent, $0.isRecovering) }
        // The exchange may be shared by several callers, whose time ends at once.
        if isRecovering { return true }
        guard let request, let stored = stale(for: request, after: error),
            end(hop, because: error, isRecovering: true)
        else {
            // The answer below may be complete, and only the rest of an upload missing.
            return state.withLock { $0.relay.handle }?.goesOn(after: error) == true
        }
        let status = status(stored, request, 0, .error)
        // Not on the caller's thread, which may be that of a timer.
        DispatchQueue.global().async { self.handOutNow(stored, status) }
        return true
    }

    func withRelay<Output>(_ body: (inout HandleRelay) -> Output) -> Output { state.withLock { body(&$0.relay) } }
}
