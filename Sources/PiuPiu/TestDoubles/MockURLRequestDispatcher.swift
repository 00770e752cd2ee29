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
/// Mocks share no state, so tests can run in parallel. A copy is the same mock, as when this was a class: a test may
/// change the ``delay`` and the ``callback`` of one that it has passed on. Its futures report two updates: one before
/// the closure, one before the response (contract rule UPDATES of <doc:Contract>). The closure sees the body of an
/// upload as the request's `httpBody`; its answer to a download is written to the file, by the same rules as that of a
/// server.
///
/// For several endpoints use a `MockRouteTable`, for answers from files a `ReplayingDispatcher`, both in the product
/// `PiuPiuTesting`.
public struct MockURLRequestDispatcher: MockDispatcher {
    /// Makes the response to a request, or throws the error that the future fails with.
    public typealias ResponseCallback = @Sendable (URLRequest) throws -> Response<Data?>

    private struct State: Sendable {
        var delay: TimeInterval
        var callback: ResponseCallback?
    }

    private let state: Locked<State>
    private let clock: any Clock<Duration>

    /// How long the response takes, in seconds of the clock; 0, a negative value or NaN means no delay.
    ///
    /// Futures use its value at the time when the closure has answered them.
    public var delay: TimeInterval {
        get { state.withLock { $0.delay } }
        nonmutating set { state.withLock { $0.delay = newValue } }
    }

    /// Answers the requests, once each; without it they fail with ``ResponseError/noResponse``.
    ///
    /// A future calls it in the background, on no actor: on another thread, or on the thread of an `await` before that
    /// suspends. A direct call of ``answer(to:)`` runs it where the caller runs.
    ///
    /// A future calls the closure that is set when its work begins, which is soon after its start. So change it only
    /// when the earlier requests have ended.
    public var callback: ResponseCallback? {
        get { state.withLock { $0.callback } }
        nonmutating set { state.release { exchange(&$0.callback, with: newValue) } }
    }

    /// Makes a mock.
    ///
    /// - Parameters:
    ///   - delay: how long the response takes, in seconds.
    ///   - clock: measures the delay. A test passes its own clock and needs no real time.
    ///   - callback: answers the requests.
    public init(
        delay: TimeInterval = 0, clock: any Clock<Duration> = ContinuousClock(), callback: @escaping ResponseCallback
    ) {
        state = Locked(State(delay: delay, callback: callback))
        self.clock = clock
    }

    /// The answer of ``callback``, after the ``delay``.
    ///
    /// - Throws: the error of the callback, before the delay; ``ResponseError/noResponse`` if there is none; a
    ///   `CancellationError` as soon as the task is cancelled.
    public func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
        guard let callback else { throw ResponseError.noResponse }
        let response = try callback(urlRequest)
        let delay = delay
        try await clock.sleep(latency: .seconds(delay > 0 ? min(delay, Self.longestDelay) : 0))
        return response
    }

    /// About thirty years: a `Duration` can't hold every `TimeInterval`.
    private static let longestDelay: TimeInterval = 1e9
}
