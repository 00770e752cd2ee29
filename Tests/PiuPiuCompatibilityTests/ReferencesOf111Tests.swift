import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("PiuPiu 1.11: what was a class", .timeLimit(.minutes(10)))
struct ReferencesOf111Tests {
    private let references = ReferencesOf111()

    @Test("A constant mock that was handed over can be given another closure and delay")
    func mock() async throws {
        references.echo()
        #expect(try await references.answer().value.data == "https://one.example.com/a")
    }

    @available(*, deprecated)
    @Test("A constant, shared serializer can be given another provider and dispatcher")
    func serializer() async throws {
        references.echo()
        let future = references.answer()
        references.move()
        #expect(try await future.value.data == "https://two.example.com/a")
        references.replaceDispatcher()
        #expect(try await references.answer().value.data == "other")
        #expect(references.serializer.serverProvider === references.second)
    }

    @Test("Responses of the user's own are decoded like the others")
    func responses() throws {
        let url = try #require(URL(string: "https://example.com"))
        let response = Response.makeMockResponse(with: URLRequest(url: url), data: Data("1".utf8), statusCode: .ok)
        #expect(try StoredResponse(response).decode(Int.self) == 1)
        let wrapped = WrappedResponse(
            data: response.data, urlResponse: response.urlResponse, urlRequest: response.urlRequest)
        #expect(try wrapped.decode(Int.self) == 1)
    }
}
