public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The pages of a list, loaded one after the other while a loop asks for them.
///
/// ```swift
/// for try await page in dispatcher.pages(from: request) {
///     posts += try page.decode([Post].self)
/// }
/// ```
///
/// ``DataDispatcher/pages(from:)`` makes one. Each page is a data future of the dispatcher, so that policies and
/// adapters see each request.
///
/// Nothing is sent before the first `next()` (contract rule COLD of <doc:Contract>), and a page only when the loop asks
/// for it: a `break` ends it. Each iterator begins with the first page. Cancelling the iterating task cancels the
/// request of its page, and the loop throws `CancellationError`.
///
/// Iterating throws, and is over after it:
/// - ``UnacceptableStatusError`` for a status other than 200 to 299;
/// - ``RepeatedPageError`` if a page asks for one that was loaded already, which isn't known of a request with an
///   `httpBodyStream`. A server that always links to a new one keeps the loop for ever, and the iterator remembers each
///   request: count the pages if you don't trust it;
/// - ``InvalidRequestError/unsupportedScheme(_:url:)`` if a page links to a URL that is neither http nor https;
/// - every other error of the dispatcher's future, and what `next` throws.
///
/// A `Sendable` value. Source: the `Link` field as on GitHub and elsewhere (RFC 8288, relation "next" of HTML).
public struct ResponsePages: AsyncSequence, Sendable {
    /// The response with a page.
    public typealias Element = Response<Data?>
    /// See above.
    public typealias Failure = any Error

    /// The request for the page after one, given that one and its request.
    typealias Next = @Sendable (_ page: Response<Data?>, _ urlRequest: URLRequest) throws -> URLRequest?

    let dispatcher: any DataDispatcher
    let urlRequest: URLRequest
    /// Whether the servers choose the URLs.
    let followsLinks: Bool
    let next: Next

    init(
        _ dispatcher: any DataDispatcher, from urlRequest: URLRequest, followsLinks: Bool, next: @escaping Next
    ) {
        self.dispatcher = dispatcher
        self.urlRequest = urlRequest
        self.followsLinks = followsLinks
        self.next = next
    }

    /// Makes an iterator, which begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(of: self) }
}

extension ResponsePages: CustomStringConvertible, CustomReflectable {
    /// The URL of the first page, with its secrets redacted: "ResponsePages(https://example.com/posts)".
    public var description: String { "ResponsePages(\(urlRequest.url?.text(redacting: .secrets) ?? "no URL"))" }

    /// Empty: headers may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
