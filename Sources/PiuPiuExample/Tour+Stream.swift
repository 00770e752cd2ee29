import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// A body that is read while it arrives: server-sent events, and lines.
    func stream() async throws {
        var ids: [String] = []
        let response = try await eventStream().makeHTTPResponse().value
        transcript.note("the head has arrived: \(response.statusCode.rawValue)")
        for try await event in response.data.serverSentEvents {
            transcript.note("event \(event.id ?? "?"): \(event.data)")
            ids.append(event.id ?? "?")
        }
        transcript.expect(ids == ["1", "2", "3"], "three events, in order, and then the end")

        for try await line in try await eventStream().value.data.lines {
            transcript.expect(line == "id: 1", "the same body as lines; leaving the loop ends the transfer")
            break
        }
    }

    /// The events of the tour's own server; a mock's if it has none.
    private func eventStream() -> ResponseFuture<Response<StreamedBody>> {
        if let server { return dispatcher.streamFuture(from: URLRequest(url: server.url("/events?count=3"))) }
        let events = (1...3).map { "id: \($0)\ndata: event \($0)\n\n" }.joined()
        return MockURLRequestDispatcher {
            Response.makeMockResponse(with: $0, data: Data(events.utf8), statusCode: .ok)
        }
        .streamFuture(from: request("events"))
    }
}
