import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server whose requests a test answers, by the number of their arrival.
final class AnsweringServer: Sendable {
    /// The answer to a request.
    enum Answer: Sendable {
        case status(Int, headers: [String: String] = [:])
        case broken(TransferError.Kind)
        case cancelled
    }

    /// The numbers of the requests, from 1, in order.
    let sent = EventLog()
    /// The numbers of those that were cancelled.
    let cancelled = EventLog()
    private let answers = Watched<[Int: Answer]>([:])
    private let count = Counter()
    private let clock: any Clock<Duration>
    private let isDeaf: Bool

    init(clock: any Clock<Duration> = ContinuousClock(), isDeaf: Bool = false) {
        self.clock = clock
        self.isDeaf = isDeaf
    }

    var dispatcher: MockRouteTable {
        MockRouteTable(clock: clock, routes: [MockRoute(MockAnswer { request, _ in try await self.answer(request) })])
    }

    func answer(_ number: Int, _ answer: Answer) {
        answers.withLock { $0[number] = answer }
    }

    private func answer(_ request: URLRequest) async throws -> Response<Data?> {
        let number = count.increment()
        sent("\(number)")
        try await withTaskCancellationHandler {
            if isDeaf {
                await answers.waitDeaf { $0[number] != nil }
            } else {
                await answers.wait { $0[number] != nil }
                try Task.checkCancellation()
            }
        } onCancel: {
            cancelled("\(number)")
        }
        switch answers.withLock({ $0[number] }) {
        case .status(let status, let headers):
            return Response.makeMockResponse(
                with: request, data: Data("\(number)".utf8), statusCode: StatusCode(rawValue: status), headers: headers)
        case .broken(let kind): throw TransferError(kind)
        case .cancelled, nil: throw CancellationError()
        }
    }
}

extension HedgePolicy {
    /// A policy of `copies` copies, after a second of a clock.
    static func test(_ clock: any Clock<Duration>, copies: Int = 2) -> HedgePolicy {
        var policy = HedgePolicy(after: .seconds(1), clock: clock)
        policy.maximumCopies = copies
        return policy
    }
}

/// Logs the end of a copy once its observers were notified.
struct Telling: DataDispatcher {
    let base: any DataDispatcher
    var ended = EventLog()

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        base.dataFuture(from: urlRequest).onSuccess { _ in ended("end") }.onFailure { _ in ended("end") }
    }
}
