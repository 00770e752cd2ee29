#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What a dispatcher makes of a redirect (RFC 9110, section 15.4).
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(redirectPolicy: .never)
/// let careful = URLRequestDispatcher(redirectPolicy: .decide { redirect, next in
///     next.url?.host() == redirect.urlRequest.url?.host() ? next : nil
/// })
/// ```
///
/// A redirect that is not followed is a response like others, with its status and its `Location`. Those that were followed
/// are the ``ResponseInterface/redirects`` of the response. One without a `Location`, or whose `Location` is no URL, and a
/// status such as 300 or 304, is no redirect.
public enum RedirectPolicy: Sendable {
    /// Follows up to 20, as browsers do it: 303 makes everything but HEAD a GET, 301 and 302 make a POST one, 307 and 308
    /// send the same again. Headers that are secrets by their names (``HeaderRedaction/secrets``), such as `Authorization`,
    /// `Cookie` and `X-API-Key`, don't go to another scheme, host or port.
    ///
    /// Others are an error: one more is ``TransferError/Kind/tooManyRedirects``, a location that is no http or https URL
    /// ``TransferError/Kind/unsupportedURL``, and a body that came in chunks, and would have to be sent again,
    /// ``TransferError/Kind/unreadableBody``.
    case follow

    /// Follows none.
    case never

    /// Follows if the closure returns a request: the one that it is given, which is that of ``follow``, or a changed one.
    /// With `nil` the redirect is the response.
    ///
    /// A request with an `httpBody` is sent with that, another one with the body that ``follow`` would send. One that can't be
    /// sent is an ``InvalidRequestError``. What ``follow`` can't follow is an error here as well.
    ///
    /// The closure is called once for each redirect, off the main actor, and is to return quickly: others may wait for it.
    case decide(@Sendable (_ redirect: TransferRedirect, _ next: URLRequest) -> URLRequest?)
}
