public import Foundation

/// A response that should be a stream of server-sent events has another type than `text/event-stream`.
///
/// By the HTML standard, an ``EventSource`` doesn't reconnect after it.
public struct EventSourceError: LocalizableError, Equatable {
    /// The content type from the server; `nil` if there was none.
    public let contentType: String?

    /// The method of the request, such as "GET".
    public let method: String?

    /// The URL of the request: after redirects, that of the last one.
    public let url: URL?

    package init(contentType: String?, method: String?, url: URL?) {
        self.contentType = contentType
        self.method = method
        self.url = url
    }

    /// The key of the description, "EventSourceError": see ``LocalizableError``.
    public var errorKey: String { "EventSourceError" }

    /// What was received, and what to do about it.
    public var errorDescription: String? {
        let request = ExchangeName(method: method, url: url)
        let type = contentType?.cutForErrors.escapingControlCharacters ?? "-"
        return localizedText(
            """
            The server answered \(request, as: "request") with the content type \(type, as: "contentType"), not with \
            text/event-stream. Check that the URL is that of a stream of events.
            """)
    }
}

extension EventSourceError: RequestNamingError {}
