public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Something that has happened in an exchange, for an ``ExchangeObserver``.
///
/// ```swift
/// switch event.step {
/// case .retrying: retries.increment()
/// case .finished(let summary): times.record(summary.duration)
/// default: break
/// }
/// ```
///
/// Each exchange that is started has one ``Step/started``, which is the first, and one
/// ``Step/finished(_:)``, which is the last.
///
/// Printed, or dumped, an event shows no secret, by the rule of ``HeaderRedaction/secrets``: no header, no body, and of a
/// URL what `curl()` shows. The request itself is in ``urlRequest``, and heads and errors are in the ``step``,
/// for those who ask.
public struct ExchangeEvent: Sendable {
    /// What has happened.
    public enum Step: Sendable {
        /// The future of the exchange was started. Nothing was sent yet.
        case started
        /// A limit has let the request through to the network, such as that of ``TransferSettings/exchangesPerOrigin``. Told for
        /// each limit and each attempt; not where nobody limits, as with a mock.
        case admitted
        /// The head of a response has come, after any redirects. Each attempt may bring one, and a request that was sent again
        /// with another credential two.
        case head(TransferHead)
        /// An attempt was in vain, and another one follows after a wait: see ``RetryPolicy``. The attempt is the one that
        /// follows, 2 for the first of them.
        case retrying(attempt: Int, after: Duration)
        /// The wait is over, and another attempt begins: ``ExchangeEvent/attempt`` is its number from here on.
        case restarted
        /// The credential was renewed for this exchange, or for others along with it.
        case refreshed
        /// A cache was asked, and this is what it did with the request (RFC 9211).
        case cacheStatus(CacheStatus)
        /// The exchange is over.
        case finished(ExchangeSummary)
    }

    let exchange: ObservedExchange

    /// Which attempt it is, 1 for the first, as a ``RetryPolicy`` inside or outside of the observation counts them.
    public let attempt: Int

    /// When it happened, from the start of the exchange; measured by the clock of the ``ObservationPolicy``, and never less than
    /// that of an event before.
    public let elapsed: Duration

    /// What has happened.
    public let step: Step

    /// Which exchange it is.
    public var id: ExchangeID { exchange.id }

    /// Which future of the dispatcher was asked for.
    public var kind: ExchangeKind { exchange.kind }

    /// When the exchange was started.
    public var start: Date { exchange.start }

    /// When it happened: ``start`` and what has ``elapsed`` since then.
    public var date: Date {
        let (seconds, attoseconds) = elapsed.components
        return start.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
    }

    /// The request as it was asked for, with all that it holds, secrets as well: no adapter has seen it yet.
    public var urlRequest: URLRequest { exchange.urlRequest }
}

extension ExchangeEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number, the request without its secrets, and the step: "#12 GET https://example.com/posts started".
    public var description: String { "\(id) \(exchange.urlRequest.exchangeText) \(step)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: the request may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ExchangeEvent.Step: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The step in words: "started", "head 200", "cache PiuPiu; hit; ttl=376", "attempt 2 follows after 700.0 ms", "finished 200 in 12.5 ms, …".
    public var description: String {
        switch self {
        case .started: "started"
        case .admitted: "admitted"
        case .head(let head): "head \(head.status.map(String.init) ?? "without a status")"
        case .retrying(let attempt, let delay): "attempt \(attempt) follows after \(delay.milliseconds)"
        case .restarted: "another attempt"
        case .refreshed: "credential refreshed"
        case .cacheStatus(let status): "cache \(status.withoutSecrets)"
        case .finished(let summary): summary.description
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: heads and errors may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CacheStatus {
    /// Without the key, which has the URL, and the detail, which may be anything.
    fileprivate var withoutSecrets: CacheStatus {
        var status = self
        (status.key, status.detail) = (nil, nil)
        return status
    }
}
