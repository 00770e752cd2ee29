import Foundation
import PiuPiu
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What policies on a dispatcher cost where they have nothing to do: small requests, many at a time, with and without
/// them.
struct HTTPPolicyScenario: Scenario {
    let name: String
    let inFlight: Int
    /// The rate with policies, relative to the rate without.
    let targetRate: Double

    /// An observer that looks at the end of each exchange.
    private final class Ends: ExchangeObserver {
        private let count = Atomic(0)

        func observe(_ event: ExchangeEvent) {
            if case .finished = event.step { count.wrappingAdd(1, ordering: .relaxed) }
        }
    }

    private static let bareName = "PiuPiu, the bare dispatcher"

    func table(with settings: Settings) async throws -> Table {
        try await HTTPStage.run { stage in
            let bare = URLRequestDispatcher()
            let dispatchers: [(String, any DataDispatcher)] = [
                (Self.bareName, bare), ("PiuPiu, `.observed`", bare.observed(by: Ends())),
                ("PiuPiu, `.retrying`", bare.retrying(.standard)),
                ("PiuPiu, `.deadline`", bare.deadline(.seconds(60))),
                (
                    "PiuPiu, `.retrying.deadline.observed`",
                    bare.retrying(.standard).deadline(.seconds(60)).observed(by: Ends())
                ),
            ]
            let request = URLRequest(url: stage.baseURL.appending(path: "posts/1"), method: .get)
            let timed = TimedScenario(
                name: name, title: "GET of a small JSON document with policies, \(inFlight) in flight", expected: 1,
                peer: Self.bareName, contenders: dispatchers.map { contender(name: $0, dispatcher: $1, request) })
            return try await timed.table(with: settings)
        }
    }

    private func contender(name: String, dispatcher: any DataDispatcher, _ request: URLRequest) -> Contender {
        let targets: [Target] = name == Self.bareName ? [] : [.rateAtLeast(targetRate, timesContender: Self.bareName)]
        let body = Contender.inFlight(inFlight) { count in
            var sum = 0
            for _ in 0..<count {
                let response = try await dispatcher.dataFuture(from: request).value
                sum += response.head.status == 200 && response.data?.isEmpty == false ? 1 : 0
            }
            return sum
        }
        return Contender(name, .piuPiu, targets: targets, body)
    }
}
