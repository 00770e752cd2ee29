#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The decisions of one iteration over an ``EventSource``: what is sent, what an answer means, and when a connection is made
/// again.
///
/// A pure value, by the rules of the HTML standard; ``EventSource/Iterator`` carries its answers out.
package struct EventSourceCourse: Sendable {
    /// What is to be done.
    package enum Step: Sendable {
        case event(ServerSentEvent)
        case goOn
        case end
        /// Wait so long, because of this, and connect again.
        case wait(Duration, after: (any Error)?)
    }

    /// What is sent as `Last-Event-ID`; empty for nothing.
    package private(set) var lastEventID: String

    /// What the server has asked for by `retry:`.
    private var retry: Duration?

    /// How many connections there were in vain since the last that was answered.
    private var failures = 0

    private let reconnectionTime: Duration
    private let maximumDelay: Duration

    /// Nobody goes round faster on average than twice as fast as this, whatever a server asks for.
    private static let leastBase = Duration.milliseconds(50)

    package init(
        lastEventID: String = "", reconnectionTime: Duration = .seconds(3), maximumDelay: Duration = .seconds(20)
    ) {
        // No line of a stream could give another one, and a header can't have it.
        let isSendable = !lastEventID.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
        self.lastEventID = isSendable ? lastEventID : ""
        self.reconnectionTime = reconnectionTime
        self.maximumDelay = maximumDelay
    }

    /// The request of the next connection.
    package func request(from urlRequest: URLRequest) -> URLRequest {
        var request = urlRequest
        for (name, value) in [("Accept", "text/event-stream"), ("Cache-Control", "no-store")]
        where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if !lastEventID.isEmpty { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
        return request
    }

    /// Looks at a response: false if it says that there are no more events.
    ///
    /// - Throws: ``UnacceptableStatusError``, ``EventSourceError``.
    package mutating func answered(_ response: some ResponseInterface) throws -> Bool {
        let head = response.head
        if head.status == 204 { return false }
        _ = try response.validated([200])
        let type = head.values(for: "Content-Type").first ?? head.urlResponse.mimeType
        guard type?.mediaType == "text/event-stream" else {
            throw EventSourceError(contentType: type, method: response.urlRequest.httpMethod, url: head.url)
        }
        failures = 0
        return true
    }

    /// An event has come.
    package mutating func received(_ event: ServerSentEvent) {
        lastEventID = event.id ?? ""
        if let retry = event.retry { self.retry = retry }
    }

    /// A connection is over, in which the server has said this last, with an event or without.
    package mutating func ended(lastEventID: String, retry: Duration?) {
        self.lastEventID = lastEventID
        if let retry { self.retry = retry }
    }

    /// There was no connection, or is none any more; without an error the server has closed it.
    ///
    /// - Parameter random: makes a random number, from 0 to below 1.
    /// - Throws: the error, if another connection would be no better, or a cancellation.
    package mutating func lost(
        _ error: (any Error)?, isCancelled: Bool = false, random: () -> Double
    ) throws -> Step {
        if isCancelled { throw CancellationError() }
        if let error {
            let attempt = ExchangeAttempt(number: 1, result: .failure(error))
            guard attempt.head == nil, RetryRules.standard.isWanted(after: attempt, isIdempotent: true) else {
                throw error
            }
        }
        // The first wait after a connection is that of R4 before the first retry.
        failures += 1
        let longest = RetryAfter.longest
        let base = min(max(retry ?? reconnectionTime, Self.leastBase), longest)
        let timing = RetryTiming(
            base: base, throttledBase: base, maximum: maximumDelay, maximumRetryAfter: longest)
        let backOff = timing.backOff(afterAttempt: failures, isThrottled: false) * random()
        return .wait(min(min(retry ?? .zero, longest) + backOff, longest), after: error)
    }
}

extension String {
    /// The type and the subtype of a `Content-Type`, in lower case.
    fileprivate var mediaType: String {
        prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
}
