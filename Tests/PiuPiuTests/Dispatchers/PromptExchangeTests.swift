import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An awaiter that is alone with a request runs it in its own task only where nothing of the user's could hold it up.
@Suite("What may take its time to end", .timeLimit(.minutes(10)))
struct PromptExchangeTests {
    @Test("DOWN: an engine that is deaf to a cancellation doesn't hold the await up")
    func deafEngine() async throws {
        let engine = DeafEngine()
        let url = try #require(URL(string: "http://127.0.0.1/deaf"))
        let task = Task { try await URLRequestDispatcher(engine: engine).dataFuture(from: URLRequest(url: url)).value }
        await engine.started.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        engine.end()
    }

    @Test("DOWN: an adapter that is deaf to a cancellation doesn't either", arguments: [true, false])
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
