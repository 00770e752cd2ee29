import Foundation
import PiuPiu
import Synchronization
import Tracing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Traces exchanges with swift-distributed-tracing: a span for each, below the one of who has started it, whose context goes
/// to the server with the request.
///
/// It is an observer and an adapter: `URLRequestDispatcher(requestAdapter: tracing).retrying().observed(by: tracing)`.
final class TracingObserver: ExchangeObserver, RequestAdapter {
    private let tracer: any Tracer
    private let spans = Mutex<[ExchangeID: any Span]>([:])

    init(_ tracer: any Tracer) {
        self.tracer = tracer
    }

    func observe(_ event: ExchangeEvent) {
        switch event.step {
        case .started:
            let method = event.urlRequest.httpMethod ?? "GET"
            let span = tracer.startAnySpan(method, ofKind: .client)
            span.attributes["http.request.method"] = method
            span.attributes["server.address"] = event.urlRequest.url?.host()
            spans.withLock { $0[event.id] = span }
        case .retrying:
            span(of: event.id)?.addEvent("retrying")
        case .finished(let summary):
            guard let span = spans.withLock({ $0.removeValue(forKey: event.id) }) else { return }
            span.attributes["http.request.resend_count"] = event.attempt - 1
            span.attributes["http.response.status_code"] = summary.head?.status
            if let error = summary.error {
                span.recordError(error)
                span.setStatus(SpanStatus(code: .error))
            }
            span.end()
        default: break
        }
    }

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        guard let id = ExchangeID.current, let span = span(of: id) else { return urlRequest }
        var request = urlRequest
        tracer.inject(span.context, into: &request, using: HeaderInjector())
        return request
    }

    private func span(of id: ExchangeID) -> (any Span)? { spans.withLock { $0[id] } }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into request: inout URLRequest) {
        request.setValue(value, forHTTPHeaderField: key)
    }
}
