import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The only awaiter of a request runs it in its own task, but not where the user's code could hold it up.
@Suite("Engines and adapters that are slow to end", .timeLimit(.minutes(10)))
struct PromptExchangeTests {
    @Test("DOWN: an engine that ignores a cancellation doesn't hold up the await")
    func deafEngine() async throws {
        let engine = DeafEngine()
        let url = try #require(URL(string: "http://127.0.0.1/deaf"))
        let task = Task { try await URLRequestDispatcher(engine: engine).dataFuture(from: URLRequest(url: url)).value }
        await engine.started.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        engine.end()
    }

    @Test("DOWN: an adapter that ignores a cancellation doesn't hold up the await", arguments: [true, false])
    func deafAdapter(isOfRequests: Bool) async throws {
        let gate = Gate(), adapter = DeafAdapter(gate: gate)
        let dispatcher = URLRequestDispatcher(
            requestAdapter: isOfRequests ? adapter : nil, responseAdapter: isOfRequests ? nil : adapter)
        let server = try LoopbackServer.start()
        let request = server.request("/text")
        let task = Task { try await dispatcher.dataFuture(from: request).value }
        await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
    }

    /// Never ends an exchange by itself.
    private final class DeafEngine: TransferEngine {
        let started = Gate()
        private let exchange = Box<@Sendable (TransferEvent) -> Void>()

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            exchange.value = onEvent
            Task { await started.pass() }
            return Handle()
        }

        func end() {
            started.open()
            exchange.value?(.failed(CancellationError()))
        }

        func finishTasksAndInvalidate() {}

        func invalidateAndCancel() {}

        private struct Handle: TransferHandle {
            func cancel() {}
        }
    }

    private struct DeafAdapter: RequestAdapter, ResponseAdapter {
        let gate: Gate

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            await gate.pass()
            return urlRequest
        }

        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            await gate.pass()
            return urlResponse
        }
    }
}
