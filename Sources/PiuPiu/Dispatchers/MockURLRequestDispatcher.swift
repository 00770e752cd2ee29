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
/// A value without shared state, so that tests run side by side. Its futures report two updates: one before the
/// closure, one before the response (contract rule UPDATES).
public struct MockURLRequestDispatcher: DataDispatcher {
    /// Makes the response to a request, or throws the error that the future is to fail with.
    public typealias ResponseCallback = @Sendable (URLRequest) throws -> Response<Data?>

    /// How long the response takes, in seconds of the clock; 0 or less, or a value that is no number, is not at all.
    public var delay: TimeInterval

    /// Answers the requests, once each, in the background; without it they fail with ``ResponseError/noResponse``.
    public var callback: ResponseCallback?

    private let clock: any Clock<Duration>

    /// Makes a mock.
    ///
    /// - Parameters:
    ///   - delay: how long the response takes, in seconds.
    ///   - clock: what measures the delay. A test hands over a clock of its own and needs no real time.
    ///   - callback: answers the requests.
    public init(
        delay: TimeInterval = 0, clock: any Clock<Duration> = ContinuousClock(), callback: @escaping ResponseCallback
    ) {
        self.delay = delay
        self.clock = clock
        self.callback = callback
    }

    /// A future of what ``callback`` answers.
    ///
    /// It fails with what the callback throws, and with ``ResponseError/noResponse`` if there is none. Cancelling it ends
    /// the delay.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(reportingOperation: { [self] report in
            report(TransferUpdate(stage: .started))
            guard let callback else { throw ResponseError.noResponse }
            let response = try callback(urlRequest)
            if delay > 0 { try await clock.sleep(for: .seconds(min(delay, Self.longestDelay))) }
            try Task.checkCancellation()
            let count = Int64(response.data?.count ?? 0)
            report(
                TransferUpdate(
                    stage: .received, progress: TransferProgress(bytesReceived: count, bytesExpectedToReceive: count)))
            return response
        })
    }

    /// Some thirty years: a `Duration` can't hold every `TimeInterval`.
    private static let longestDelay: TimeInterval = 1e9
}
