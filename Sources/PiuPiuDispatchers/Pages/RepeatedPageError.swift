public import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A page of a ``ResponsePages`` asks for one that its iterator has loaded already.
public struct RepeatedPageError: LocalizableError, Equatable {
    /// The method of the request that would be sent again, such as "GET".
    public let method: String?

    /// The URL of that request.
    public let url: URL?

    package init(_ urlRequest: URLRequest) {
        method = urlRequest.httpMethod
        url = urlRequest.url
    }

    /// The key of the description, "RepeatedPageError": see ``LocalizableError``.
    public var errorKey: String { "RepeatedPageError" }

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        let request = ExchangeName(method: method, url: url)
        return localizedText(
            """
            The page of \(request, as: "request") has been loaded before, so the pages would never end. Check the links \
            of the server, or choose the next request in the closure of pages.
            """)
    }
}

extension RepeatedPageError: RequestNamingError {}
