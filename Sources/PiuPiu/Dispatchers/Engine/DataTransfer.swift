package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// One data request, awaited: what becomes of it is collected in memory.
package enum DataTransfer {
    /// What came of a data request.
    package typealias Output = (data: Data?, response: URLResponse, request: URLRequest)

    /// Sends `request` through `engine` and returns the response with its whole body.
    ///
    /// - `report` receives one update at the start, one for each part of the request's body that was sent, one for the
    ///   head of the response and one for each chunk of its body; in order, off the main actor, none after the return.
    /// - An HTTP status is data, not an error. An empty body is `nil`. The request returned is the one that the
    ///   response answers, after redirects.
    /// - When the calling task is cancelled, the exchange is, and this function throws `CancellationError`; a task
    ///   that was cancelled before sends nothing and reports nothing.
    package static func run(
        _ request: URLRequest, on engine: some TransferEngine,
        report: @escaping @Sendable (TransferUpdate) -> Void = { _ in }
    ) async throws -> Output {
        try Task.checkCancellation()
        let settlement = TransferSettlement<Output>()
        let collector = DataCollector(report: report)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard settlement.begin(continuation) else { return }
                collector.start()
                let handle = engine.start(request) { event in
                    guard let outcome = collector.receive(event) else { return }
                    settlement.settle(with: outcome)
                }
                settlement.attach(handle)
            }
        } onCancel: {
            settlement.cancel()
        }
    }
}
