public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A dispatcher without a network: a closure answers the requests.
///
/// ```swift
/// let dispatcher = MockURLRequestDispatcher(delay: 0.3) { request in
///     try Response.makeMockJSONResponse(with: request, encodable: Post.example, statusCode: .ok)
/// }
/// ```
///
/// Each mock stands by itself, so that tests run side by side; a copy is the same mock, as it was when this was a
/// class: a test may change the ``delay`` and the ``callback`` of one that it has handed over. Its futures report two
/// updates: one before the closure, one before the response (contract rule UPDATES of <doc:Contract>). The closure sees
/// the body of an upload as the request's `httpBody`; what it answers to a download goes to the file, by the same rules
/// as that of a server.
///
/// For several endpoints there is a `MockRouteTable`, for answers from files a `ReplayingDispatcher`, both in the
/// product `PiuPiuTesting`.
public struct MockURLRequestDispatcher: MockDispatcher {
    /// Makes the response to a request, or throws the error that the future is to fail with.
    public typealias ResponseCallback = @Sendable (URLRequest) throws -> Response<Data?>

    private struct State: Sendable {
        var delay: TimeInterval
        var callback: ResponseCallback?
    }

    private let state: Locked<State>
    private let clock: any Clock<Duration>

    /// How long the response takes, in seconds of the clock; 0 or less, or a value that is no number, is not at all.
    ///
    /// Futures go by what it is when the closure has answered them.
    public var delay: TimeInterval {
        get { state.withLock { $0.delay } }
        nonmutating set { state.withLock { $0.delay = newValue } }
    }

    /// Answers the requests, once each, in the background; without it they fail with ``ResponseError/noResponse``.
    ///
    /// Futures are answered by the one that is there when they have been started.
    public var callback: ResponseCallback? {
        get { state.withLock { $0.callback } }
        nonmutating set { state.release { exchange(&$0.callback, with: newValue) } }
    }

    /// Makes a mock.
    ///
    /// - Parameters:
    ///   - delay: how long the response takes, in seconds.
    ///   - clock: what measures the delay. A test hands over a clock of its own and needs no real time.
    ///   - callback: answers the requests.
    public init(
        delay: TimeInterval = 0, clock: any Clock<Duration> = ContinuousClock(), callback: @escaping ResponseCallback
    ) {
        state = Locked(State(delay: delay, callback: callback))
        self.clock = clock
    }

    /// What ``callback`` answers, after the ``delay``.
    ///
    /// - Throws: what the callback throws, before the delay; ``ResponseError/noResponse`` if there is none; a
    ///   `CancellationError` as soon as the task is cancelled.
    public func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
        guard let callback else { throw ResponseError.noResponse }
        let response = try callback(urlRequest)
        let delay = delay
        try await clock.sleep(latency: .seconds(delay > 0 ? min(delay, Self.longestDelay) : 0))
        return response
    }

    /// Some thirty years: a `Duration` can't hold every `TimeInterval`.
    private static let longestDelay: TimeInterval = 1e9
}

extension Clock<Duration> {
    /// Sleeps, unless there is nothing to sleep for.
    package func sleep(latency: Duration) async throws {
        if latency > .zero { try await sleep(for: latency) }
    }
}
