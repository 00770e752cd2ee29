import Foundation
import NetworkKit
import PiuPiu
import Testing

/// A file that also imports PiuPiu distinguishes the names by their modules.
@Suite("The names of NetworkKit with the module before them", .timeLimit(.minutes(10)))
struct QualifiedNameTests {
    func text(_ response: NetworkKit.Response<Data?>) throws -> String {
        if let error: NetworkKit.ResponseError = response.error { throw error }
        return try response.decodeString()
    }

    func post(_ dispatcher: NetworkKit.Dispatcher) -> NetworkKit.ResponseFuture<String> {
        let request = NetworkKit.BasicRequest(method: NetworkKit.HTTPMethod.get, path: "/posts")
        return dispatcher.future(from: request).then({ response in try self.text(response) })
    }

    @Test("They name what the module's clients have always used")
    func names() async throws {
        let url = try #require(URL(string: "https://example.com"))
        let mock = NetworkKit.MockDispatcher(baseUrl: url, mockStatusCode: NetworkKit.StatusCode.ok)
        mock.mockData = Data("T".utf8)
        let posts: PiuPiu.ResponseFuture<String> = post(mock).piuPiuFuture()
        #expect(try await posts.value == "T")
        mock.mockStatusCode = .conflict
        let error: NetworkKit.BaseNetworkError? = await #expect(throws: NetworkKit.ResponseError.self) {
            try await post(mock).value
        }
        #expect(error?.errorKey == "Conflict")
    }
}
