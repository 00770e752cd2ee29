import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The work of a future of a dispatcher: one exchange whose response is collected in memory.
final class RequestWork: CallbackWork {
    private let dispatcher: URLRequestDispatcher
    private let urlRequest: URLRequest
    private let body: TransferBody?
    private let settlement = TransferSettlement()

    init(_ dispatcher: URLRequestDispatcher, _ urlRequest: URLRequest, body: TransferBody?) {
        self.dispatcher = dispatcher
        self.urlRequest = urlRequest
        self.body = body
    }

    func begin(
        for run: FutureRun, _ end: @escaping @Sendable (Result<Response<Data?>, any Error>) -> Void
    ) -> Bool {
        dispatcher.begin(urlRequest, body: body, for: run, settlement: settlement, end)
    }

    func perform(for run: FutureRun) async throws -> Response<Data?> {
        try Task.checkCancellation()
        return try await dispatcher.response(to: urlRequest, body: body, in: InlineWork(run))
    }

    func cancel() { settlement.cancel() }
}
