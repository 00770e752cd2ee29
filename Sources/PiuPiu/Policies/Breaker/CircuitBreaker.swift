/// When requests to a server that fails aren't sent any more, and when they are again.
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
/// - *Closed*, all requests are sent. When of ``minimumExchanges`` or more in the last ``window`` at least the
///   ``failureRate`` have failed, it opens.
/// - *Open*, each request fails at once with a ``CircuitOpenError``, for ``openDuration``.
/// - *Half open*, one request is sent as a probe, and others fail as before. A success closes the circuit, with nothing in
///   its window; a failure opens it again. A probe that is cancelled, or says nothing of the server, gives its turn to the
///   next request.
///
/// A failure is a status of 500 or more, or an error that may pass: no connection, host not found, timed out, connection lost,
/// truncated or bad response. A status below 500, 404 and 429 too, is a success: the server is there. A cancellation before
/// the head, a certificate and anything that has failed here counts for nothing. Of a stream or a download the head decides.
///
/// A value that says how; what has happened is known to each dispatcher, or engine, that was made with it, and to their copies.
public struct CircuitBreaker: Sendable {
    /// The time that counts: 30 s, forgotten in tenths.
    public var window: Duration = .seconds(30)

    /// Of fewer exchanges than these in the window nothing is concluded: 20. Less than 1 counts as 1.
    public var minimumExchanges = 20

    /// The part of the exchanges in the window that has to fail, from 0 to 1: a half.
    public var failureRate = 0.5

    /// How long an open circuit stays open before there is a probe: 5 s.
    public var openDuration: Duration = .seconds(5)

    /// The time since the breaker was made.
    let now: @Sendable () -> Duration

    /// Makes the standard breaker.
    ///
    /// - Parameter clock: what the time is measured by. A test hands over a clock of its own.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        let stopwatch = Stopwatch(clock)
        now = { stopwatch.elapsed }
    }

    /// 50 % of 20 exchanges or more in 30 s, and a probe after 5 s.
    public static var standard: CircuitBreaker { CircuitBreaker() }
}
