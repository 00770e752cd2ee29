#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension StreamDispatcher {
    /// The server-sent events of a URL; it reconnects whenever a connection is lost.
    ///
    /// ```swift
    /// for try await event in dispatcher.eventSource(from: request) { show(event.data) }
    /// ```
    ///
    /// Nothing is sent before the first iteration. See ``EventSource`` for its rules, settings and errors; for the
    /// events of one response use ``StreamedBody/serverSentEvents``.
    ///
    /// - Parameters:
    ///   - urlRequest: the request to send for each connection.
    ///   - lastEventID: the ``ServerSentEvent/id`` of an earlier event, to continue after it.
    public func eventSource(from urlRequest: URLRequest, lastEventID: String? = nil) -> EventSource {
        var source = EventSource(self, from: urlRequest)
        source.lastEventID = lastEventID
        return source
    }
}
