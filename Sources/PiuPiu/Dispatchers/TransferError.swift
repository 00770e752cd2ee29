public import Foundation

/// An exchange with a server, or the reading of a local resource, has failed before the response was complete.
///
/// ```swift
/// do {
///     let response = try await dispatcher.dataFuture(from: request).value
/// } catch let error as TransferError where error.kind == .timedOut {
///     offerRetry(for: error.url)
/// }
/// ```
///
/// An HTTP status is never a `TransferError` (a 404 is a response), and neither is a cancellation, which is always a
/// `CancellationError`.
public struct TransferError: LocalizableError {
    /// What kind of failure it was.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// No connection could be made: nothing listens there, the network is down, or there are no descriptors left.
        case cannotConnect
        /// The name of the host could not be resolved.
        case hostNotFound
        /// The server kept silent for longer than the request's timeout.
        case timedOut
        /// The connection broke before the response was complete.
        case connectionLost
        /// The connection was closed before the body had the length that was announced.
        case truncated
        /// What the server sent is no valid HTTP response, or it sent none.
        case badResponse
        /// The body of the response is longer than ``URLRequestDispatcher/maximumBodySize``, which keeps it from filling the
        /// memory.
        case bodyTooLarge
        /// No secure connection could be made, for a reason other than those below: no version of TLS in common, for
        /// instance.
        case secureConnectionFailed
        /// The server's certificate is signed by no authority that is trusted, or by itself.
        case untrustedAuthority
        /// The server's certificate is for another host.
        case wrongHost
        /// The server's certificate has expired, or is not valid yet.
        case certificateExpired
        /// The server has none of the public keys that are pinned.
        case pinMismatch
        /// The server asks for a client certificate, and there is none.
        case clientCertificateRequired
        /// The server doesn't accept the client certificate.
        case clientCertificateRefused
        /// A stream has waited for its turn in vain: as many are open as may be with one origin, and for the request's
        /// timeout none of them has ended. Nothing was sent. See ``TransferSettings/exchangesPerOrigin``.
        case tooManyStreams
        /// The server redirected more than 20 times.
        case tooManyRedirects
        /// The scheme of the URL, or of one that the server redirected to, is not supported.
        case unsupportedURL
        /// The local file does not exist, or is none that can be read.
        case fileNotFound
        /// The body of the request can't be read: its file or stream failed.
        case unreadableBody
        /// The `data:` URL does not follow RFC 2397.
        case malformedDataURL
        /// The engine can't do what it is set up for, as by a ``TransferSecurity``, so it has sent nothing.
        case unsupportedSetting
        /// The dispatcher was invalidated before the request was started.
        case sessionInvalidated
        /// Something else; ``TransferError/underlyingError`` says what.
        case other
    }

    /// What kind of failure it was.
    public let kind: Kind

    /// The URL that could not be loaded, without a user name or password.
    public let url: URL?

    /// The error that the failure was first noticed as, if there was one.
    public let underlyingError: (any Error)?

    /// The attempts before the one that has failed like this, in order, if a ``RetryPolicy`` has made some.
    public package(set) var earlierAttempts: [ExchangeAttempt] = []

    /// Whether the exchange had been redirected, so that a server has had the request, whatever became of it afterwards.
    package var isAfterRedirect = false

    /// Makes an error, for an engine or a mock that fails on purpose.
    public init(_ kind: Kind, url: URL? = nil, underlyingError: (any Error)? = nil) {
        self.kind = kind
        self.url = url?.withoutUserInfo
        self.underlyingError = underlyingError
    }

    /// The `URLError` that the failure was first noticed as, or that `URLSession` would have made of it, whichever engine
    /// it comes from; `nil` where there is none that says the same.
    public var urlError: URLError? {
        if let error = underlyingError as? URLError { return error }
        guard let code = kind.urlErrorCode else { return nil }
        var info: [String: Any] = [:]
        info[NSURLErrorFailingURLErrorKey] = url
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSUnderlyingErrorKey] = underlyingError
        return URLError(code, userInfo: info)
    }
}

extension URL {
    /// This URL as it may be shown and logged: without a user name and password.
    package var withoutUserInfo: URL {
        guard user(percentEncoded: true) != nil || password(percentEncoded: true) != nil,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }
}
