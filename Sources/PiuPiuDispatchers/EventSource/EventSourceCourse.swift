#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The decisions of one iteration over an ``EventSource``: what to send, what a response means, and when to reconnect.
///
/// A pure value, by the rules of the HTML standard; ``EventSource/Iterator`` carries out its decisions.
package struct EventSourceCourse: Sendable {
    /// What to do next.
    package enum Step: Sendable {
        case event(ServerSentEvent)
        case goOn
        case end
        /// Wait this long, after this error if any, and reconnect.
        case wait(Duration, after: (any Error)?)
    }

    /// The `Last-Event-ID` to send; empty for none.
    package private(set) var lastEventID: String

    /// Whether that is from the server, which replaces one in the caller's request.
    private var isIDOfServer = false

    /// The delay that the server has asked for by `retry:`.
    private var retry: Duration?

    /// How many connections have failed since the last accepted response.
    private var failures = 0

    private let reconnectionTime: Duration
    private let maximumDelay: Duration

    /// What is transient: a stream without a place was not sent, and gets one when another stream ends.
    private static let rules = {
        var rules = RetryRules.standard
        rules.errors.insert(.tooManyStreams)
        return rules
    }()

    private static let longestIDSent = 4_096

    /// The least base of a delay, whatever a server asks for: the average delay is at least half of this.
    private static let leastBase = Duration.milliseconds(50)

    package init(
        lastEventID: String = "", reconnectionTime: Duration = .seconds(3), maximumDelay: Duration = .seconds(20)
    ) {
        // A line of a stream can't contain these bytes, and neither can a header.
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
        // The ID of a server may have control characters, which no header can have, or be so long that no server takes a
        // request with it: then the source would end.
        if !lastEventID.isEmpty, lastEventID.isFieldValue, lastEventID.utf8.count <= Self.longestIDSent {
            request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID")
        } else if isIDOfServer {
            request.setValue(nil, forHTTPHeaderField: "Last-Event-ID")
        }
        return request
    }

    /// Checks a response: false if it signals that there are no more events.
    ///
    /// - Throws: ``UnacceptableStatusError``, ``EventSourceError``.
    package mutating func answered(_ response: some ResponseInterface) throws -> Bool {
        let head = response.head
        if head.status == 204 { return false }
        _ = try response.validated([200])
        let type = head.values(for: "Content-Type").first ?? head.urlResponse.mimeType
        guard type.flatMap({ MediaType(Array($0.utf8)[...]) })?.essence == "text/event-stream" else {
            throw EventSourceError(contentType: type, method: response.urlRequest.httpMethod, url: head.url)
        }
        failures = 0
        return true
    }

    /// An event has arrived.
    package mutating func received(_ event: ServerSentEvent) {
        take(event.id ?? "")
        if let retry = event.retry { self.retry = retry }
    }

    /// A connection is over; these are the server's latest values, sent with an event or without.
    package mutating func ended(lastEventID: String, retry: Duration?) {
        take(lastEventID)
        if let retry { self.retry = retry }
    }

    private mutating func take(_ lastEventID: String) {
        // Without any so far, an empty one is no news.
        if lastEventID != self.lastEventID { isIDOfServer = true }
        self.lastEventID = lastEventID
    }

    /// A connection failed or was lost; without an error, the server has closed it.
    ///
    /// - Parameters:
    ///   - deadline: that of the task, with the error of an exchange that has missed it.
    ///   - random: makes a random number, from 0 to below 1.
    /// - Throws: the error, if reconnecting wouldn't help, or there is no time for it; or a cancellation.
    package mutating func lost(
        _ error: (any Error)?, isCancelled: Bool = false,
        deadline: (timeLeft: Duration, error: DeadlineExceeded)? = nil, random: () -> Double
    ) throws -> Step {
        if isCancelled { throw CancellationError() }
        if let error {
            let attempt = ExchangeAttempt(number: 1, result: .failure(error))
            guard attempt.head == nil, Self.rules.isWanted(after: attempt, isIdempotent: true) else {
                throw error
            }
        }
        // The first wait after a connection is that of R4 before the first retry.
        failures += 1
        let delay = nextDelay(random: random())
        // After a wait that takes all the remaining time, nothing could be sent.
        if let deadline, delay >= deadline.timeLeft { throw error ?? deadline.error }
        return .wait(delay, after: error)
    }

    private func nextDelay(random: Double) -> Duration {
        let longest = RetryAfter.longest
        let base = min(max(retry ?? reconnectionTime, Self.leastBase), longest)
        let timing = RetryTiming(
            base: base, throttledBase: base, maximum: max(maximumDelay, Self.leastBase), maximumRetryAfter: longest)
        let backOff = timing.backOff(afterAttempt: failures, isThrottled: false) * random
        return min(min(retry ?? .zero, longest) + backOff, longest)
    }
}
