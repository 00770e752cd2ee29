import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine that answers from a cache where it may: see ``TransferEngine/cached(in:partition:)``.
///
/// ``CachePlan`` decides; a ``CachedExchange`` carries it out; the ``FillingEngine`` below stores responses.
final class CachingEngine: AnsweringEngine, DecoratingEngine {
    let store: CacheStore
    let partition: CachePartition
    /// Forwards the requests that no stored response can answer.
    let filling: FillingEngine
    /// Validates stored responses, once for all concurrent requests.
    let validating: CoalescingEngine
    /// Validates in the background, where no request waits, with the usual time limits of a driver: for requests that
    /// have no driver themselves.
    private let refreshing: TransferDriver
    /// What it is validating.
    private let refreshed = Locked<Set<Refresh>>([])
    private let isOver = Locked(false)

    private struct Refresh: Hashable, Sendable {
        let key: CacheKey
        let variant: CacheVariant
    }

    init(_ base: any TransferEngine, cache: HTTPCache, partition: CachePartition) {
        store = cache.store
        self.partition = partition
        filling = FillingEngine(base, store: cache.store)
        validating = CoalescingEngine(filling)
        refreshing = TransferDriver(validating, inBackgroundOf: nil)
    }

    var base: any TransferEngine { filling }

    var settings: TransferSettings { filling.settings }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        guard !isOver.withLock({ $0 }) else {
            let error = TransferError(.sessionInvalidated, url: request.urlRequest.url)
            return RefusedExchange(error, onEvent: onEvent)
        }
        guard let question = question(request) else { return filling.start(request, onEvent: onEvent) }
        let exchange = CachedExchange(request, question, engine: self, onEvent: onEvent)
        exchange.begin()
        return exchange
    }

    func answer(to request: TransferRequest) -> [TransferEvent]? {
        guard !isOver.withLock({ $0 }), let question = question(request), question.isAnswerable else { return nil }
        let plan = CachePlan.plan(question, stored: store.stored(for: question), at: store.now())
        // A redirect leads to another request: it needs an exchange, which asks the cache itself.
        guard let stored = plan.answer, !(300..<400).contains(stored.status) else { return nil }
        var bodies: [TransferEvent] = []
        if question.method != "HEAD" {
            guard case .data(let body) = stored.body else { return nil }
            if !body.isEmpty { bodies.append(.body(body)) }
        }
        if case .serveAndRefresh = plan { refresh(request, question, stored) }
        let head = head(stored, for: request, question, plan.isStale)
        return [.head(head, request: request.urlRequest)] + bodies + [.finished]
    }

    func needsNoServer(for request: TransferRequest) -> Bool {
        guard let question = question(request) else { return false }
        if question.isOffline { return true }
        let plan = CachePlan.plan(question, stored: store.stored(for: question), at: store.now())
        return plan.answer.map(store.hasBody) ?? false
    }

    private func question(_ request: TransferRequest) -> CacheQuestion? {
        CacheQuestion(
            request.urlRequest, hasBody: !request.body.isEmpty,
            credentialHeaders: request.sentCredential?.headerNames ?? [], partition: partition)
    }

    /// The head of a stored response that is served without validation.
    func head(
        _ stored: StoredResponse, for request: TransferRequest, _ question: CacheQuestion, _ isStale: Bool
    ) -> TransferHead {
        store.use(stored)
        store.count { figures in
            if isStale { figures.staleHits += 1 } else { figures.hits += 1 }
        }
        let now = store.now()
        var head = stored.head(url: question.url, at: now)
        head.cacheStatus = CacheStatus(cache: CacheStatus.ownName, isHit: true, ttl: stored.timeToLive(at: now))
        return head
    }

    /// Validates a response that was just served, for the next request, unless that is under way.
    func refresh(_ request: TransferRequest, _ question: CacheQuestion, _ stored: StoredResponse) {
        let refresh = Refresh(key: stored.key, variant: stored.variant)
        guard refreshed.withLock({ $0.insert(refresh).inserted }) else { return }
        var request = request.validating(
            CacheHop(question: question, chosen: stored, all: [stored], reason: .stale))
        // It ends with the dispatcher of the request.
        let driver = request.driver.map { TransferDriver(validating, inBackgroundOf: $0) } ?? refreshing
        request.redirectPolicy = .never
        // A shared exchange leaves it none, as each of its callers has its own. Here there is no caller.
        request.urlRequest.timeoutInterval = request.connectTimeout
        // Nobody reads it, so it doesn't wait for open streams, nor do others wait for it.
        (request.turn, request.driver, request.observation, request.isStream) = (nil, nil, nil, false)
        let rest = RefreshRest(limit: store.bodyLimit)
        // The deadline of this request isn't that of the next.
        Deadline.withoutCurrent {
            _ = driver.start(request, attach: rest.attach) { [refreshed] event in
                if event.isTerminal { refreshed.withLock { _ = $0.remove(refresh) } }
                rest.receive(event)
            }
        }
    }

    func finishTasksAndInvalidate() {
        isOver.withLock { $0 = true }
        // After its last exchange it ends the engines below.
        refreshing.finishTasksAndInvalidate()
    }

    func invalidateAndCancel() {
        isOver.withLock { $0 = true }
        refreshing.invalidateAndCancel()
        filling.invalidateAndCancel()
    }
}

extension CachePlan {
    /// The stored response that is the answer.
    var answer: StoredResponse? {
        switch self {
        case .serve(let stored, _), .serveAndRefresh(let stored): stored
        case .validate, .forward, .refuse: nil
        }
    }

    /// Whether the request asks for the server's answer, whatever is stored.
    var isReload: Bool { if case .forward(.request) = self { true } else { false } }

    /// Whether that is stale.
    var isStale: Bool {
        switch self {
        case .serve(_, let isStale): isStale
        case .serveAndRefresh: true
        case .validate, .forward, .refuse: false
        }
    }
}

extension StoredResponse {
    /// The remaining seconds of freshness; negative for a stale response.
    func timeToLive(at now: TimeInterval) -> Int {
        Int(clamping: Int64(max(-2_147_483_648, min(lifetime - age(at: now), 2_147_483_648))))
    }
}

extension TransferRequest {
    /// The conditional request that validates the stored responses.
    func validating(_ hop: CacheHop) -> TransferRequest {
        var request = self
        for (name, value) in StoredResponse.conditions(chosen: hop.chosen, all: hop.all) {
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        return request.asking(hop)
    }

    /// The request to forward, with the directives for caches on its way.
    func asking(_ hop: CacheHop) -> TransferRequest {
        var request = self
        request.cacheHop = hop
        let demand: String? =
            switch urlRequest.cachePolicy {
            case .reloadIgnoringLocalAndRemoteCacheData: "no-cache"
            case .reloadRevalidatingCacheData: "max-age=0"
            default: nil
            }
        if let demand, hop.question.headers["cache-control"] == nil {
            request.urlRequest.setValue(demand, forHTTPHeaderField: "Cache-Control")
        }
        return request
    }
}
