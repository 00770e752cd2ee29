import Foundation
import LoopbackServer
import PiuPiu
import Testing

@Suite("Sendable checked: adapters", .timeLimit(.minutes(10)))
struct AdapterTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(
        requestAdapter: RequestAdapterChain(TokenAdapter(store: TokenStore()), LanguageAdapter()),
        responseAdapter: AccountGuard())

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test("ADAPT: the adapted request is sent, in the background")
    func inBackground() async throws {
        try await sendAdapted()
    }

    @MainActor
    @Test("ADAPT: the adapted request is sent, for a caller on the main actor")
    func onMain() async throws {
        try await sendAdapted()
    }

    private func sendAdapted() async throws {
        let response = try await dispatcher.dataFuture(from: server.request("/echo")).decoded(Echo.self).value
        #expect(response.data.headers["Authorization"] == "Bearer token-1")
        #expect(response.data.headers["Accept-Language"] == "da")
        #expect(response.urlRequest.value(forHTTPHeaderField: "Accept-Language") == "da")
    }

    @Test("ADAPT: what a response adapter throws is the error")
    func refusal() async {
        await #expect(throws: AccountGuard.Closed.self) {
            try await dispatcher.dataFuture(from: server.request("/status/403")).value
        }
    }
}
