import Foundation

extension ResponseInterface {
    /// How long the server asks to wait before the next request, by `Retry-After` (RFC 9110, section 10.2.3); `nil`
    /// without exactly one valid field.
    ///
    /// ```swift
    /// if response.status == .tooManyRequests { show("Try again in \(response.retryAfter ?? .seconds(60))") }
    /// ```
    ///
    /// Read as a ``RetryPolicy`` does: a date counts from the `Date` of the response, and only without one from now. It
    /// is never negative, and at most 2³¹ seconds.
    public var retryAfter: Duration? { RetryAfter.wait(in: head, now: Date().timeIntervalSince1970) }
}

extension UnacceptableStatusError {
    /// How long the server asks to wait before the next request, by `Retry-After`: see
    /// ``ResponseInterface/retryAfter``.
    ///
    /// ```swift
    /// } catch let error as UnacceptableStatusError where error.statusCode == .tooManyRequests {
    ///     try await Task.sleep(for: error.retryAfter ?? .seconds(60))
    /// }
    /// ```
    public var retryAfter: Duration? { RetryAfter.wait(in: head, now: Date().timeIntervalSince1970) }
}
