#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// How a dispatcher handles a redirect (RFC 9110, section 15.4).
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(redirectPolicy: .never)
/// let careful = URLRequestDispatcher(redirectPolicy: .decide { redirect, next in
///     let (from, to) = (redirect.urlRequest.url, next.url)
///     return from?.scheme == to?.scheme && from?.host() == to?.host() ? next : nil
/// })
/// ```
///
/// A redirect that is not followed is a response like any other, with its status and its `Location`. The followed ones
/// are the ``ResponseInterface/redirects`` of the response. A response without a `Location`, with one that is no URL,
/// or with a status such as 300 or 304 is no redirect.
public enum RedirectPolicy: Sendable {
    /// Follows up to 20 redirects, as browsers do.
    ///
    /// A 303 changes every method but HEAD to GET, a 301 or 302 changes POST to GET, and a 307 or 308 sends the same
    /// request again. Headers with secret names (``HeaderRedaction/secrets``), such as `Authorization`, `Cookie` and
    /// `X-API-Key`, don't go to another scheme, host or port, and neither does a `Host` of your own. A location with the
    /// same ones that has no user and password gets those of the URL before it.
    ///
    /// The body of a redirect is discarded. If it takes longer than a second, or is large, it isn't waited for.
    ///
    /// Other redirects are an error: the 21st is ``TransferError/Kind/tooManyRedirects``, a location that is no http or
    /// https URL is ``TransferError/Kind/unsupportedURL``, and a redirect that would send a body of chunks again is
    /// ``TransferError/Kind/unreadableBody``.
    case follow

    /// Follows no redirects.
    case never

    /// Follows if the closure returns a request: the one that it gets, which is that of ``follow``, or a changed one.
    /// With `nil` the redirect is the response.
    ///
    /// A request with an `httpBody` is sent with it, any other with the body that ``follow`` would send, unless it has
    /// become a GET or HEAD. A request that can't be sent is an ``InvalidRequestError``. The errors of ``follow`` are
    /// errors here, too.
    ///
    /// The closure is called once for each redirect, off the main actor. It must return quickly: other exchanges may
    /// wait for it.
    case decide(@Sendable (_ redirect: TransferRedirect, _ next: URLRequest) -> URLRequest?)
}
