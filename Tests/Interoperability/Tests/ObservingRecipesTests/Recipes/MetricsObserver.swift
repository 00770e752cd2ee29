import Foundation
import Metrics
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures exchanges with swift-metrics: how long they take, by method and outcome, and how many attempts are in vain.
struct MetricsObserver: ExchangeObserver {
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory = MetricsSystem.factory) {
        self.factory = factory
    }

    func observe(_ event: ExchangeEvent) {
        let method = ("method", event.urlRequest.httpMethod ?? "GET")
        switch event.step {
        case .retrying:
            Counter(label: "http_client_retries", dimensions: [method], factory: factory).increment()
        case .finished(let summary):
            let dimensions = [method, ("outcome", Self.name(of: summary.outcome))]
            Metrics.Timer(label: "http_client_duration", dimensions: dimensions, factory: factory)
                .record(duration: summary.duration)
            Counter(label: "http_client_bytes_sent", dimensions: [method], factory: factory)
                .increment(by: summary.bytesSent)
            Counter(label: "http_client_bytes_received", dimensions: [method], factory: factory)
                .increment(by: summary.bytesReceived)
        default: break
        }
    }

    /// Few names, as each is a series of its own.
    private static func name(of outcome: ExchangeSummary.Outcome) -> String {
        switch outcome {
        case .response(let head): "\((head.status ?? 0) / 100)xx"
        case .failure(let error as TransferError): error.kind.rawValue
        case .failure: "error"
        case .cancelled: "cancelled"
        }
    }
}
