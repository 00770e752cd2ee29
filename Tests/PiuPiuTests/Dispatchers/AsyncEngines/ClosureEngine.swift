import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An async engine whose client is a closure.
struct ClosureEngine<ResponseBody: AsyncSequence & Sendable>: AsyncTransferEngine where ResponseBody.Element == Data {
    let exchanges = RunningExchanges()
    private let client: @Sendable (TransferRequest, TransferChunks?) async throws -> ResponseBody

    /// The client returns the body of the response, whose head is always the same.
    init(_ client: @escaping @Sendable (TransferRequest, TransferChunks?) async throws -> ResponseBody) {
        self.client = client
    }

    func exchange(
        _ request: TransferRequest, body: TransferChunks?
    ) async throws -> (TransferHead, ResponseBody) {
        let body = try await client(request, body)
        return (TransferHead(url: ScriptedExchange.url, status: 200), body)
    }
}

/// The request that the tests of async engines send.
enum ScriptedExchange {
    static let url = URL(string: "http://127.0.0.1/scripted") ?? URL(filePath: "/")

    static func request(_ body: TransferBody = .none) -> TransferRequest {
        TransferRequest(URLRequest(url: url), body: body)
    }
}

extension TransferEvent {
    /// What happened, in short.
    var summary: String {
        switch self {
        case .sent(let bytes, let expected): "sent \(bytes) of \(expected.map(String.init) ?? "?")"
        case .head(let head, _): "head \(head.status ?? 0)"
        case .body(let chunk): String(decoding: chunk, as: UTF8.self)
        case .measured: "measured"
        case .finished: "finished"
        case .failed(is CancellationError): "cancelled"
        case .failed: "failed"
        }
    }

    var failure: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
}
