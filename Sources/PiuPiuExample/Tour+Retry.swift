import Foundation
import PiuPiu
import PiuPiuTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// Retries for a server that fails now and then: one line, for every request of the dispatcher.
    func retry() async throws {
        let server = RecordingDispatcher(
            MockRouteTable(
                script: MockScript([.status(.badGateway), .failure(TransferError(.connectionLost)), .json(Post.sample)])
            ))

        let patient = server.retrying().validating()

        let response = try await patient.dataFuture(from: request("posts/42")).decoded(Post.self).value
        for attempt in response.earlierAttempts { transcript.note("\(attempt)") }
        transcript.expect(response.data == .sample, "the third attempt brings post \(response.data.id)")
        transcript.expect(server.exchanges.count == 3, "the server was asked three times")
    }

    /// An unacceptable status is an error, without a check in each call.
    func validation() async throws {
        let server = MockRouteTable(script: MockScript([.text("There is no such post.", status: .notFound)]))
        do {
            _ = try await server.validating().dataFuture(from: request("posts/0")).decoded(Post.self).value
            transcript.expect(false, "a 404 is an error")
        } catch let error as UnacceptableStatusError {
            transcript.expect(error.statusCode == .notFound, "thrown: \(error.localizedDescription)")
        }
        let lenient = server.validating(200..<500)
        let response = try await lenient.dataFuture(from: request("posts/0")).value
        transcript.expect(response.head.status == 404, "where 404 is acceptable it is a response as before")
    }
}
