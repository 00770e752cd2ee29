import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import LoopbackServer
import Metrics
import MetricsTestKit
import PiuPiu
import PiuPiuTesting
import Testing
import Tracing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The recipes for observers", .timeLimit(.minutes(10)))
struct ObservingRecipesTests {
    private let request: URLRequest

    init() throws {
        request = URLRequest(url: try #require(URL(string: "https://example.com/a?token=secret")))
    }

    /// Retries at once.
    private var policy: RetryPolicy {
        var policy = RetryPolicy.standard
        (policy.baseDelay, policy.throttledBaseDelay) = (.zero, .zero)
        return policy
    }

    private func run(_ observer: some ExchangeObserver, _ answers: MockAnswer...) async {
        let dispatcher = MockRouteTable(script: MockScript(answers)).retrying(policy).observed(by: observer)
        _ = try? await dispatcher.dataFuture(from: request).value
    }

    @Test("swift-log: an end is a line with the number of the exchange, a failure a warning")
    func logging() async {
        let handler = InMemoryLogHandler()
        let observer = LoggingObserver(Logger(label: "network") { _ in handler })
        await run(observer, .text("yes"))
        await run(observer, .failure(TransferError(.badResponse)), .failure(TransferError(.tooManyRedirects)))
        #expect(handler.entries.map(\.level) == [.info, .warning])
        #expect(handler.entries.map { $0.metadata["attempt"] } == ["1", "2"])
        let texts = handler.entries.map { "\($0.message)" }
        #expect(texts[0].contains("GET https://example.com/a?token=<redacted> finished 200 in "))
        #expect(texts[1].contains("failed with tooManyRedirects"))
    }

    @Test("swift-metrics: durations by outcome, and retries")
    func metrics() async throws {
        let metrics = TestMetrics()
        let observer = MetricsObserver(metrics)
        await run(observer, .status(.serviceUnavailable), .text("yes"))
        await run(observer, .failure(TransferError(.tooManyRedirects)))
        for outcome in ["2xx", "tooManyRedirects"] {
            let timer = try metrics.expectTimer("http_client_duration", [("method", "GET"), ("outcome", outcome)])
            #expect(timer.values.count == 1)
        }
        #expect(metrics.counterTotal(label: "http_client_retries") == 1)
        #expect(metrics.counterTotal(label: "http_client_bytes_received") == 3)
    }

    @Test("swift-distributed-tracing: a child span of the caller's, whose context is sent with each attempt")
    func tracing() async throws {
        let server = try LoopbackServer.start()
        server.handle("GET", "/a", reply: .text("no", status: 503))
        let tracer = InMemoryTracer()
        let observer = TracingObserver(tracer)
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: observer).retrying(policy)
            .observed(by: observer)
        let request = server.request("/a")
        let caller = try await tracer.withSpan("caller") { span in
            _ = try await dispatcher.dataFuture(from: request).value
            return span.context
        }
        let span = try #require(tracer.finishedSpans.first { $0.operationName == "GET" })
        #expect(span.parentSpanID == caller.inMemorySpanContext?.spanID && span.kind == .client)
        #expect(span.events.map(\.name) == ["retrying", "retrying"] && span.errors.isEmpty)
        #expect(span.attributes["http.response.status_code"]?.toSpanAttribute() == 503)
        let ids = server.requests(path: "/a").map { $0.header(InMemoryTracer.spanIDKey) }
        #expect(ids == [span.spanID, span.spanID, span.spanID])
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test(
        "The article shows the files as they are", arguments: ["LoggingObserver", "MetricsObserver", "TracingObserver"])
    func isTheSame(file: String) throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let code = try String(contentsOf: here.appending(path: "Recipes/\(file).swift"), encoding: .utf8)
        let path = "../../../../Sources/PiuPiu/PiuPiu.docc/ObservingRecipes.md"
        let article = try String(contentsOf: here.appending(path: path), encoding: .utf8)
        #expect(article.contains("```swift\n\(code)```\n"))
    }
}
