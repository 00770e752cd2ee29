/// When to stop sending requests to a failing server, and when to resume.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().breaking(.standard)
///
/// var breaker = CircuitBreaker.standard
/// breaker.minimumExchanges = 50
/// breaker.openDuration = .seconds(10)
/// let patient = URLRequestDispatcher().breaking(breaker)
/// ```
///
/// Each origin (scheme, host and port) has a circuit of its own (contract rule BREAKER of <doc:Contract>):
/// - *Closed*, all requests are sent. It opens when the last ``window`` has ``minimumExchanges`` or more, and at least
///   the ``failureRate`` of them failed.
/// - *Open*, each request fails at once with a ``CircuitOpenError``, for ``openDuration``.
/// - *Half open*, one request is sent as a probe, and others fail as before. A success closes the circuit with an empty
///   window; a failure opens it again. If the probe is cancelled, or says nothing about the server, the next request is
///   the probe. So is the first one that comes when the probe has taken ``openDuration``, as a long upload may; the slow
///   one may still close the circuit, but no longer open it. Requests wait twice as long for that one, and so on, up to
///   eight times the duration.
///
/// A failure is a status of 500 or more, or a transient error: no connection, host not found, timed out, connection
/// lost, truncated or bad response. A status below 500, also 404 and 429, is a success: the server works. A
/// cancellation before the head, a certificate error and local failures don't count, nor does an error of the chunks
/// of a body, which may come from another server. For a stream or a download the head decides.
///
/// This value has only the rules. Each dispatcher or engine made with it has its own circuits, shared with its copies.
public struct CircuitBreaker: Sendable {
    /// The time that counts: 30 s; old outcomes expire in steps of a tenth of it.
    public var window: Duration = .seconds(30)

    /// The minimum number of exchanges in the window to open the circuit: 20. Less than 1 counts as 1.
    public var minimumExchanges = 20

    /// The share of exchanges in the window that has to fail, from 0 to 1: a half.
    public var failureRate = 0.5

    /// How long an open circuit stays open before there is a probe, and how long others wait for that: 5 s.
    public var openDuration: Duration = .seconds(5)

    /// The time since the breaker was made.
    let now: @Sendable () -> Duration

    /// Makes the standard breaker.
    ///
    /// - Parameter clock: measures the time. A test passes its own clock.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        let stopwatch = Stopwatch(clock)
        now = { stopwatch.elapsed }
    }

    /// 50 % of 20 exchanges or more in 30 s, and a probe after 5 s.
    public static var standard: CircuitBreaker { CircuitBreaker() }
}

extension CircuitBreaker: CustomStringConvertible, CustomReflectable {
    /// Its rules: "CircuitBreaker(0.5 of 20 exchanges in 30.0 seconds, open for 5.0 seconds)".
    public var description: String {
        "CircuitBreaker(\(failureRate) of \(minimumExchanges) exchanges in \(window), open for \(openDuration))"
    }

    /// Empty: see the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
