#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension DataDispatcher {
    /// The pages of a list, of which each one links to the next by a `Link` field with the relation "next" (RFC 8288).
    ///
    /// ```swift
    /// for try await page in dispatcher.pages(from: request) {
    ///     posts += try page.decode([Post].self)
    /// }
    /// ```
    ///
    /// The request for the next page is that for the last one with the URL of the link. As after a redirect, headers
    /// with secrets, such as `Authorization`, don't go to another scheme, host or port, nor back from there. Redirects on
    /// the way to a page count, too: after a POST that was answered by a 303 the next page is a GET without a body. A page
    /// without such a link is the last one. See ``ResponsePages`` for its rules and errors.
    ///
    /// That goes for the headers of `urlRequest`. Unlike after a redirect, a ``RequestAdapter`` of the dispatcher sees the
    /// request for each page, whatever its origin: one that sets a secret must check the URL, or be replaced by an
    /// ``Authenticator``, which does.
    ///
    /// - Parameter urlRequest: the request for the first page.
    public func pages(from urlRequest: URLRequest) -> ResponsePages {
        ResponsePages(self, from: urlRequest, followsLinks: true) { page, urlRequest in
            try urlRequest.next(linkedBy: page)
        }
    }

    /// The pages of a list on a server, as ``pages(from:)`` makes them.
    ///
    /// ```swift
    /// for try await page in try dispatcher.pages(from: PostsRequest(), at: baseURL) {
    ///     posts += try page.decode([Post].self)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: the request for the first page, which is built here, once.
    ///   - baseURL: the base URL of the server.
    /// - Throws: the error of `urlRequest(withBaseURL:)`.
    public func pages(from request: any Request, at baseURL: URL) throws -> ResponsePages {
        pages(from: try request.urlRequest(withBaseURL: baseURL))
    }

    /// The pages of a list, of which each one says in its own way what the request for the next one is.
    ///
    /// ```swift
    /// let pages = dispatcher.pages(from: request) { page in
    ///     guard let cursor = try page.decode(List.self).nextCursor else { return nil }
    ///     return URLRequest(url: try url.settingQueryValue(cursor, forName: "cursor"), method: .get)
    /// }
    /// ```
    ///
    /// See ``ResponsePages`` for its rules and errors.
    ///
    /// - Parameters:
    ///   - urlRequest: the request for the first page.
    ///   - next: makes the request for the page after this one; `nil` if it is the last. Called where the iteration
    ///     runs, when the loop asks for that page. What it throws ends the iteration.
    public func pages(
        from urlRequest: URLRequest, next: @escaping @Sendable (_ page: Response<Data?>) throws -> URLRequest?
    ) -> ResponsePages {
        ResponsePages(self, from: urlRequest, followsLinks: false) { page, _ in try next(page) }
    }
}

extension URLRequest {
    /// The request for the page that the response to this one links to; `nil` if it is the last.
    ///
    /// - Throws: ``InvalidRequestError`` if the link isn't one of the web: a server mustn't choose a local file.
    fileprivate func next(linkedBy page: Response<Data?>) throws(InvalidRequestError) -> URLRequest? {
        guard let link = page.link("next") else { return nil }
        let scheme = link.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme, url: link) }
        return answered(by: page).redirected(to: link, status: 307)
    }

    /// This request after the redirects to the page: one to another origin has dropped the secrets, and one of the
    /// status 303 the body.
    private func answered(by page: Response<Data?>) -> URLRequest {
        let redirects = page.head.redirects, last = page.urlRequest.url
        // A dispatcher may not say what the redirects were.
        if redirects.isEmpty { return last.map { redirected(to: $0, status: 307) } ?? self }
        let targets = redirects.dropFirst().map(\.urlRequest.url) + [last]
        return zip(redirects, targets).reduce(self) { request, hop in
            let (redirect, target) = hop
            return (target ?? last).map { request.redirected(to: $0, status: redirect.status) } ?? request
        }
    }
}
