import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Applies the responses of servers to a cache: stores them, and renews or invalidates stored ones (rules STORE,
/// VALIDATE and INVALIDATE).
///
/// It is below the ``CachingEngine``, which decides what to ask the server for.
final class FillingEngine: DecoratingEngine {
    let base: any TransferEngine
    let store: CacheStore

    init(_ base: any TransferEngine, store: CacheStore) {
        self.base = base
        self.store = store
    }

    var settings: TransferSettings {
        var settings = base.settings
        settings.hasCache = true
        return settings
    }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        guard let hop = request.cacheHop else { return base.start(spooling: request, onEvent: onEvent) }
        if let renewed = renewed(since: hop) { return KnownAnswer(renewed, to: request, onEvent: onEvent) }
        let filling = FillingExchange(hop, store: store, turn: request.turn, onEvent: onEvent)
        var timed = request
        timed.turn = filling
        return base.start(spooling: timed) { filling.receive($0, answering: request) }
    }

    /// The fresh answer, if another request has validated it since the look-up.
    private func renewed(since hop: CacheHop) -> StoredResponse? {
        guard let chosen = hop.chosen, hop.reason == .stale, !store.isCurrent(chosen) else { return nil }
        let plan = CachePlan.plan(hop.question, stored: store.stored(for: hop.question), at: store.now())
        if case .serve(let response, isStale: false) = plan { return response }
        return nil
    }

    func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }

    func invalidateAndCancel() { base.invalidateAndCancel() }
}

/// The answer of a validation that another request has just finished.
private struct KnownAnswer: TransferHandle {
    /// Delivers it after the caller has returned.
    init(
        _ response: StoredResponse, to request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        guard let url = request.urlRequest.url else { return }
        var head = TransferHead(url: url, status: 304)
        head.validated = response
        let answer = head
        DispatchQueue.global().async {
            onEvent(.head(answer, request: request.urlRequest))
            onEvent(.finished)
        }
    }

    func cancel() {}
}

/// One response of a server, as it arrives.
///
/// Its request is as old as its turn in a line below: what waits there isn't on its way (rule LIFETIME).
private final class FillingExchange: TransferTurn {
    private let hop: CacheHop
    private let store: CacheStore
    private let onEvent: @Sendable (TransferEvent) -> Void
    private let sendTime: Locked<TimeInterval>
    private let turn: (any TransferTurn)?
    private let visit: CacheStore.Visit
    private let fill = Locked<(CacheFill, @Sendable (StoredResponse.Body) -> StoredResponse)?>(nil)

    init(
        _ hop: CacheHop, store: CacheStore, turn: (any TransferTurn)?,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.hop = hop
        self.store = store
        self.turn = turn
        self.onEvent = onEvent
        sendTime = Locked(store.now())
        visit = store.enter(hop.question.key.uri)
    }

    deinit { store.leave(visit) }

    private var requestTime: TimeInterval { sendTime.withLock { $0 } }

    func waits() { turn?.waits() }

    func begins() throws {
        try turn?.begins()
        let now = store.now()
        sendTime.withLock { $0 = now }
    }

    func waitsForDisk() { turn?.waitsForDisk() }
    func leavesDisk() throws { try turn?.leavesDisk() }

    func receive(_ event: TransferEvent, answering request: TransferRequest) {
        switch event {
        case .head(let head, let answered):
            onEvent(.head(received(head), request: answered))
        case .body(let chunk):
            fill.withLock { $0 }?.0.append(chunk, turn)
            onEvent(event)
        case .finished:
            guard let (fill, make) = fill.withLock({ $0.take() }) else { return end(event) }
            // First, so that the next request finds the stored response.
            fill.finish(make, turn) { [self] in end(event) }
        case .failed:
            fill.withLock { $0.take() }?.0.abandon()
            end(event)
        case .sent, .measured:
            onEvent(event)
        }
    }

    private func end(_ event: TransferEvent) {
        store.leave(visit)
        onEvent(event)
    }

    /// Applies a head to the stored responses. Returns it with its cache status, and the response that it validates.
    private func received(_ head: TransferHead) -> TransferHead {
        var head = head
        // Interim responses precede the final one.
        guard let status = head.status, status >= 200 else { return head }
        // A second head replaces the first and its body.
        fill.withLock { $0.take() }?.0.abandon()
        let question = hop.question, responseTime = store.now()
        for uri in question.invalidated(by: head) { store.remove(uri: uri, for: visit) }
        head.cacheStatus = CacheStatus(
            cache: CacheStatus.ownName, forward: hop.reason, forwardStatus: status)
        if status == 304, !hop.all.isEmpty {
            head.validated = validated(by: head, at: responseTime)
            return head
        }
        let directives = CacheDirectives(head.values(for: "cache-control"))
        let vary = VaryField(head.values(for: "vary"))
        if question.method == "HEAD", status == 200 { describe(by: head, at: responseTime) }
        let length: AnnouncedLength = question.method == "HEAD" || status == 204 ? .none : head.announcedLength
        guard !vary.isStar, StorageRules.mayStore(head, directives: directives, to: question),
            length != .invalid, length.value ?? 0 <= store.bodyLimit
        else {
            removeOlder(insteadOf: status)
            return head
        }
        let variant = CacheVariant(vary.names, of: question.headers), requestTime = requestTime, source = head
        let make: @Sendable (StoredResponse.Body) -> StoredResponse = { body in
            StoredResponse(
                key: question.key, variant: variant, status: status, version: source.version ?? "HTTP/1.1",
                lines: HeadLines(fields: StorageRules.fields(source, directives: directives)),
                age: AgeField.age(source.values(for: "age")) ?? 0, requestTime: requestTime,
                responseTime: responseTime, body: body)
        }
        guard store.hasRoom(for: make(.data(Data())), length.value ?? 0) else {
            removeOlder(insteadOf: status)
            return head
        }
        guard StorageRules.supersedes(status) || !isWorseThanStored(make(.data(Data()))) else { return head }
        guard let fill = CacheFill(store, visit, question.key, variant, announcedLength: length) else {
            // The answer to a newer request is arriving. An older one gets to its end in case that breaks off.
            removeOlder(insteadOf: status, mayArrive: true)
            return head
        }
        head.cacheStatus?.isStored = true
        self.fill.withLock { $0 = (fill, make) }
        return head
    }

    /// The server has a newer response, which isn't stored: removes those that would be served in its place.
    ///
    /// - Parameter mayArrive: whether older ones that are still to come may be stored.
    private func removeOlder(insteadOf status: Int, mayArrive: Bool = false) {
        let question = hop.question
        // A 304 that comes here answers a condition of the caller's. A request that forbids storing removes nothing.
        guard StorageRules.supersedes(status), status != 304, question.isForWhole,
            !question.directives.contains("no-store")
        else { return }
        store.removeSelected(by: question, sentAt: requestTime, outdating: mayArrive ? nil : visit)
    }

    /// Whether a stored response is a better answer to later requests than an error of the server: because it is served
    /// in place of this very error, or because the error would never be fresh. Storing the error would replace it, or be
    /// preferred as the newer one.
    private func isWorseThanStored(_ error: StoredResponse) -> Bool {
        let question = hop.question
        if let chosen = hop.chosen,
            CachePlan.mayServe(chosen, to: question, insteadOf: error.status, at: error.responseTime)
        {
            return true
        }
        guard error.lifetime == 0 else { return false }
        let stored = store.stored(for: question)
        return stored.contains { StorageRules.supersedes($0.status) } || store.mayHoldMore(than: stored, for: question)
    }

    /// The stored response that a 304 validates, renewed and stored; `nil` if it matches none.
    private func validated(by head: TransferHead, at responseTime: TimeInterval) -> StoredResponse? {
        guard let old = StoredResponse.selected(by: head, chosen: hop.chosen, from: hop.all) else { return nil }
        return renew(old, by: head, at: responseTime)
    }

    /// A stored response with newer fields, stored in its place; `nil` if it can't be the answer any more.
    private func renew(_ old: StoredResponse, by head: TransferHead, at responseTime: TimeInterval) -> StoredResponse? {
        let names = head.values(for: "vary")
        let vary = VaryField(names.isEmpty ? old.lines.values(for: "vary") : names)
        let new = old.updated(
            by: head, variant: CacheVariant(vary.names, of: hop.question.headers), requestTime: requestTime,
            responseTime: responseTime)
        if vary.isStar || StorageRules.forbidsStoring(new.status, new.directives) {
            store.remove(old, unlessNewerThan: requestTime)
            store.removeSelected(by: hop.question, sentAt: requestTime, outdating: visit)
        } else if case .file = old.body, new.variant.names != old.variant.names {
            // The name of its file is that of the old variant: the body is asked for again.
            store.remove(old, unlessNewerThan: requestTime)
            return nil
        } else {
            store.replace(old, with: new)
        }
        return new
    }

    /// Applies the response to a HEAD to the stored responses to GET (RFC 9111, section 4.3.5).
    private func describe(by head: TransferHead, at responseTime: TimeInterval) {
        let question = hop.question, requestTime = requestTime
        for stored in store.stored(for: question) where stored.key.method == "GET" && question.selects(stored.variant) {
            // Another head doesn't make the answer to a newer request invalid.
            if stored.isNewer(than: requestTime, at: responseTime) { continue }
            if stored.isDescribed(by: head) {
                // Of the response to such a request nothing may be stored (RFC 9111, section 5.2.1.5).
                if question.directives.contains("no-store") { continue }
                _ = renew(stored, by: head, at: responseTime)
            } else {
                store.remove(stored, unlessNewerThan: requestTime)
            }
        }
    }
}
