import Foundation
import PiuPiu
import PiuPiuTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// A mock with routes, a script and a recorder around it; then the recording answers the same requests.
    func routesAndRecordings() async throws {
        let routes = MockRouteTable(routes: [
            MockRoute(.get, ["posts", .wildcard(type: .integer)]) { request, values in
                let post = Post(userId: 7, id: values[1].integerValue ?? 0, title: "Made up", body: "By a route.")
                return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
            },
            MockRoute(
                .get, ["users", .wildcard(type: .integer)],
                MockScript([
                    .status(.serviceUnavailable),
                    .json(User(id: 3, name: "Ada", email: "ada@example.com")).after(.milliseconds(10)),
                ])),
        ])
        let recorder = RecordingDispatcher(routes)
        let mocked = Tour(baseURL: baseURL, dispatcher: recorder, transcript: transcript)
        let post = try await mocked.post(42).value
        transcript.expect(post.id == 42, "the route GET /posts/:integer answers with post \(post.id)")
        let busy = try await recorder.dataFuture(from: request("users/3")).makeHTTPResponse().value
        transcript.expect(busy.statusCode == .serviceUnavailable, "the script's first answer is 503")
        let user = try await mocked.user(3).value
        transcript.expect(user.name == "Ada", "its second one is \(user.name)")
        do {
            _ = try await recorder.dataFuture(from: request("albums/1")).value
            transcript.expect(false, "a request without a route fails")
        } catch let error as MockError {
            transcript.note(error.localizedDescription)
        }
        for exchange in try await recorder.ended(4) { transcript.note("recorded: \(exchange)") }
        try await replay(recorder.recording())
    }

    /// Serves a recording from a file.
    private func replay(_ recording: TrafficRecording) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "PiuPiuExample-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try recording.write(to: file)
        let replayer = ReplayingDispatcher(try TrafficRecording(contentsOf: file))
        let replayed = Tour(baseURL: baseURL, dispatcher: replayer, transcript: transcript)
        let post = try await replayed.post(42).value
        transcript.expect(post.title == "Made up", "the recorded reply, from a file of JSON: \"\(post.title)\"")
        let first = try await replayer.dataFuture(from: request("users/3")).makeHTTPResponse().value
        transcript.expect(
            first.statusCode == .serviceUnavailable, "repeated requests get their recordings in order: 503")
        let user = try await replayed.user(3).value
        transcript.expect(user.name == "Ada", "… and then \(user.name)")
        do {
            _ = try await replayer.dataFuture(from: request("posts/43")).value
            transcript.expect(false, "a request that was not recorded fails")
        } catch let error as ReplayError {
            transcript.note(error.localizedDescription)
        }
    }
}
