import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// The same code without a network: only the dispatcher differs.
    func mock() async throws {
        let transcript = transcript
        let mock = MockURLRequestDispatcher { request in
            transcript.note("the mock answers \(request.url?.path() ?? "")")
            let post = Post(userId: 7, id: 42, title: "Made up", body: "No network was needed.")
            return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        }
        let tour = Tour(baseURL: baseURL, dispatcher: mock, transcript: transcript)
        let post = try await tour.post(42).value
        transcript.expect(post.title == "Made up", "post \(post.id) is \"\(post.title)\"")
    }
}
