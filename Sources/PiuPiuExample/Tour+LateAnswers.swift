import Foundation
import PiuPiu
import PiuPiuTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// A deadline for an answer that is too late, and a second copy of a request that is slow once.
    func lateAnswers() async throws {
        let hour = MockAnswer.json(Post.sample).after(.seconds(3600))

        let slow = MockRouteTable(script: MockScript([hour]))
        do {
            _ = try await slow.retrying().deadline(.milliseconds(50)).dataFuture(from: request("posts/42")).value
            transcript.expect(false, "nobody waits for an hour")
        } catch let error as DeadlineExceeded {
            transcript.expect(error.limit == .milliseconds(50), "thrown: \(error.localizedDescription)")
        }

        let uneven = RecordingDispatcher(MockRouteTable(script: MockScript([hour, .json(Post.sample)])))
        let hedged = uneven.hedged(after: .milliseconds(20))
        let post = try await hedged.dataFuture(from: request("posts/42")).decoded(Post.self).value.data
        transcript.expect(post == .sample, "the second copy's answer came first")
        transcript.expect(try await uneven.ended(2).count == 2, "the first copy was cancelled")
    }
}
