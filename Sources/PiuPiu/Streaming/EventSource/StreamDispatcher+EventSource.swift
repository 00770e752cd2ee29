#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension StreamDispatcher {
    /// The server-sent events of a URL, which connects again whenever a connection is lost.
    ///
    /// ```swift
    /// for try await event in dispatcher.eventSource(from: request) { show(event.data) }
    /// ```
    ///
    /// Nothing is sent before somebody iterates. See ``EventSource`` for its rules, its settings and its errors; for the
    /// events of one response there is ``StreamedBody/serverSentEvents``.
    ///
    /// - Parameters:
    ///   - urlRequest: what is sent for each connection.
    ///   - lastEventID: the ``ServerSentEvent/id`` of the last event of another time, to go on from there.
    public func eventSource(from urlRequest: URLRequest, lastEventID: String? = nil) -> EventSource {
        var source = EventSource(self, from: urlRequest)
        source.lastEventID = lastEventID
        return source
    }
}
