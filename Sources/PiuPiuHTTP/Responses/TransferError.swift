public import Foundation

/// An exchange with a server, or the reading of a local resource, failed before the response was complete.
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
    /// The kind of a failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// No connection could be made: nothing listens there, the network is down, the connection broke during the
        /// handshake of TLS (on Linux), or there are no descriptors left.
        case cannotConnect
        /// The name of the host could not be resolved.
        case hostNotFound
        /// The server was silent for longer than the request's timeout, or the exchange as a whole took longer than
        /// ``TransferSettings/wholeTimeout``.
        case timedOut
        /// The connection broke before the response was complete.
        case connectionLost
        /// The connection was closed before the body had its announced length, or a stream of events ended without the
        /// last one that its reader has named.
        case truncated
        /// The server sent no response, or no valid HTTP.
        case badResponse
        /// The body of the response is longer than ``URLRequestDispatcher/maximumBodySize``, or than the limit of a stream
        /// that is collected. It protects the memory.
        case bodyTooLarge
        /// No secure connection could be made, for another reason than those below: no common version of TLS, for
        /// example.
        case secureConnectionFailed
        /// The server's certificate is signed by no trusted authority, or by itself.
        case untrustedAuthority
        /// The server's certificate is for another host.
        case wrongHost
        /// The server's certificate has expired, or is not valid yet.
        case certificateExpired
        /// The server has none of the pinned public keys.
        case pinMismatch
        /// The server asks for a client certificate, and there is none.
        case clientCertificateRequired
        /// The server doesn't accept the client certificate.
        case clientCertificateRefused
        /// A stream has waited for its turn longer than its timeout: the limit of its origin is reached, and no open
        /// stream has ended. Nothing was sent. See ``TransferSettings/exchangesPerOrigin``.
        case tooManyStreams
        /// The server redirected more than 20 times.
        case tooManyRedirects
        /// The scheme of the URL, or of the target of a redirect, is not supported.
        case unsupportedURL
        /// The local file does not exist, or can't be read.
        case fileNotFound
        /// The body of the request can't be read: its file or stream failed, or its chunks have another
        /// length than announced.
        case unreadableBody
        /// The `data:` URL does not follow RFC 2397.
        case malformedDataURL
        /// The engine doesn't support one of its settings, such as a ``TransferSecurity``, so it has sent nothing.
        case unsupportedSetting
        /// The dispatcher was invalidated before the request was started.
        case sessionInvalidated
        /// Another failure: see ``TransferError/underlyingError``.
        case other
    }

    /// The kind of the failure.
    public let kind: Kind

    /// The URL that could not be loaded, without a user name or password.
    public let url: URL?

    /// The original error of the failure, if there is one.
    public let underlyingError: (any Error)?

    /// The attempts before the one with this failure, in order, if a ``RetryPolicy`` has made some.
    public package(set) var earlierAttempts: [ExchangeAttempt] = []

    /// Whether the exchange had been redirected, so that a server got the request before the failure.
    package var isAfterRedirect = false

    /// The maximum length of a body that is too large.
    package var bodyLimit: Int?

    /// Makes an error, for an engine or a mock that fails on purpose.
    public init(_ kind: Kind, url: URL? = nil, underlyingError: (any Error)? = nil) {
        self.kind = kind
        self.url = url?.withoutUserInfo
        self.underlyingError = underlyingError
    }

    /// The same error, with this URL if it has none.
    package func naming(_ url: URL?) -> TransferError {
        guard self.url == nil else { return self }
        var error = TransferError(kind, url: url, underlyingError: underlyingError)
        error.earlierAttempts = earlierAttempts
        error.isAfterRedirect = isAfterRedirect
        error.bodyLimit = bodyLimit
        return error
    }

    /// The original `URLError` of the failure, or the one that `URLSession` would have made, for every engine; `nil` if
    /// none means the same.
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
    /// This URL without a user name and password, so that it may be logged.
    package var withoutUserInfo: URL {
        guard user(percentEncoded: true) != nil || password(percentEncoded: true) != nil,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }
}

extension TransferError: RequestNamingError {}
