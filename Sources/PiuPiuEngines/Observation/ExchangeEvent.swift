public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An event of an exchange, for an ``ExchangeObserver``.
///
/// ```swift
/// switch event.step {
/// case .retrying: retries.increment()
/// case .finished(let summary): times.record(summary.duration)
/// default: break
/// }
/// ```
///
/// Each started exchange has one ``Step/started``, which is the first event, and one ``Step/finished(_:)``, which is
/// the last.
///
/// Printed, or dumped, an event shows no secret, by the rule of ``HeaderRedaction/secrets``: no header, no body, and a
/// URL as `curl()` shows it. The request itself is in ``urlRequest``, and heads and errors are in the ``step``.
public struct ExchangeEvent: Sendable {
    /// What has happened.
    public enum Step: Sendable {
        /// The future of the exchange was started. Nothing was sent yet.
        case started
        /// A limit, such as ``TransferSettings/exchangesPerOrigin``, has admitted the request to the network, or there
        /// is none. Reported for each attempt through a ``URLRequestDispatcher``, for a stream by each limit; not with
        /// a mock.
        case admitted
        /// The head of a response has arrived, after any redirects. Each attempt may have one, and a request that was
        /// sent again with another credential two. So may each copy of a hedge inside; then the head of the response may
        /// come once more at the end.
        case head(TransferHead)
        /// An attempt failed, and another one follows after a wait: see ``RetryPolicy``. `attempt` is the number of the
        /// next attempt, 2 for the first retry.
        case retrying(attempt: Int, after: Duration)
        /// The wait is over, and another attempt begins: ``ExchangeEvent/attempt`` is its number from here on.
        case restarted
        /// The credential was renewed for this exchange, or for others along with it.
        case refreshed
        /// What a cache did with the request (RFC 9211).
        case cacheStatus(CacheStatus)
        /// The exchange is over.
        case finished(ExchangeSummary)
    }

    let exchange: ObservedExchange

    /// The number of the attempt, 1 for the first, as a ``RetryPolicy`` inside or outside counts them.
    ///
    /// It is that of the attempt that began last. A retry inside an ``Authenticator`` counts from 1 again when the
    /// request is sent with another credential, and so does a retry in each copy of a hedge.
    public let attempt: Int

    /// The time since the start of the exchange, by the clock of the ``ObservationPolicy``; never less than that of an
    /// earlier event.
    public let elapsed: Duration

    /// What has happened.
    public let step: Step

    /// The number of the exchange.
    public var id: ExchangeID { exchange.id }

    /// The kind of future that was asked for.
    public var kind: ExchangeKind { exchange.kind }

    /// When the exchange was started.
    public var start: Date { exchange.start }

    /// When it happened: ``start`` plus ``elapsed``.
    public var date: Date { start.addingTimeInterval(elapsed.inSeconds) }

    /// The caller's request with everything in it, also secrets: no adapter has changed it yet.
    public var urlRequest: URLRequest { exchange.urlRequest }
}

extension ExchangeEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number, the request without its secrets, and the step: "#12 GET https://example.com/posts started".
    public var description: String { "\(id) \(exchange.urlRequest.exchangeText) \(step)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the request may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ExchangeEvent.Step: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The step in words: "started", "head 200", "cache PiuPiu; hit; ttl=376", "attempt 2 follows after 700.0 ms",
    /// "finished 200 in 12.5 ms, …".
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

    /// Empty: heads and errors may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CacheStatus {
    /// Without the key, which contains the URL, and the detail, which may be anything.
    fileprivate var withoutSecrets: CacheStatus {
        var status = self
        (status.key, status.detail) = (nil, nil)
        return status
    }
}
