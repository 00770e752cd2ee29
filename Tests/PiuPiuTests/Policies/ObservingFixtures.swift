import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records the events; a test can wait for them.
final class ObservedEvents: ExchangeObserver {
    private let kept = Watched<[ExchangeEvent]>([])
    private let isOnMainThread = Locked(false)
    private let busy = Locked<Set<ExchangeID>>([])
    private let hasOverlap = Locked(false)

    func observe(_ event: ExchangeEvent) {
        if Thread.isMainThread { isOnMainThread.withLock { $0 = true } }
        if !busy.withLock({ $0.insert(event.id).inserted }) { hasOverlap.withLock { $0 = true } }
        busy.withLock { _ = $0.remove(event.id) }
        kept.withLock { $0.append(event) }
    }

    var events: [ExchangeEvent] { kept.withLock { $0 } }
    var words: [String] { events.map(\.word) }
    var summaries: [ExchangeSummary] { events.compactMap(\.summary) }

    /// The words of each exchange, in the order of their starts.
    var wordsByExchange: [[String]] {
        let groups = Dictionary(grouping: events, by: \.id)
        return groups.sorted { $0.key.rawValue < $1.key.rawValue }.map { $0.value.map(\.word) }
    }

    /// Suspends until an event is there.
    func event(_ word: String, count: Int = 1) async {
        await kept.wait { $0.count { $0.word == word } >= count }
    }

    /// Suspends until `count` exchanges are over, and returns the words of all events.
    @discardableResult
    func ended(_ count: Int = 1) async -> [String] {
        await kept.wait { $0.count { $0.summary != nil } >= count }
        return words
    }

    /// Checks what is true of the events of all exchanges, once each has ended.
    func check(_ comment: Comment? = nil) {
        #expect(!isOnMainThread.withLock { $0 } && !hasOverlap.withLock { $0 }, comment)
        for exchange in Dictionary(grouping: events, by: \.id).values {
            let words = exchange.map(\.word)
            #expect(words.first == "started" && words.count { $0 == "started" } == 1, comment)
            #expect(exchange.last?.summary != nil && exchange.compactMap(\.summary).count == 1, comment)
            let times = exchange.map(\.elapsed), last = exchange.last
            #expect(times == times.sorted() && last?.summary?.duration == last?.elapsed, comment)
            let attempts = exchange.map(\.attempt), restarts = words.count { $0 == "restarted" }
            #expect(attempts == attempts.sorted() && attempts.last == (attempts.first ?? 0) + restarts, comment)
        }
    }
}

extension ExchangeEvent {
    /// The step in short.
    var word: String {
        switch step {
        case .started: "started"
        case .admitted: "admitted"
        case .head(let head): "head \(head.status ?? 0)"
        case .retrying(let attempt, _): "retrying \(attempt)"
        case .restarted: "restarted"
        case .refreshed: "refreshed"
        case .cacheStatus(let status): "cache \(status)"
        case .finished(let summary): "\(summary.outcome)"
        }
    }

    /// How the exchange has ended, if this is its end.
    var summary: ExchangeSummary? { if case .finished(let summary) = step { summary } else { nil } }
}

/// The events of a successful exchange over a mock.
let success = ["started", "head 200", "finished 200"]
