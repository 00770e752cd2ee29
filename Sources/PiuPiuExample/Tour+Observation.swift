import PiuPiu
import PiuPiuTesting
import Synchronization

extension Tour {
    /// A log and a meter: each exchange has one start and one end.
    func observation() async throws {
        let transcript = transcript
        let meter = TourMeter()
        let server = MockRouteTable(script: MockScript([.status(.badGateway), .json(Post.sample)]))

        let observed = server.retrying().observed(by: .closure { transcript.note("\($0)") }, meter)

        _ = try await observed.dataFuture(from: request("posts/42")).value
        transcript.expect(meter.starts == 1 && meter.ends == 1, "one start and one end")
        transcript.expect(meter.retries == 1, "and one retry")
    }
}

/// Counts events.
private final class TourMeter: ExchangeObserver {
    private let counts = Mutex((starts: 0, retries: 0, ends: 0))

    var starts: Int { counts.withLock { $0.starts } }
    var retries: Int { counts.withLock { $0.retries } }
    var ends: Int { counts.withLock { $0.ends } }

    func observe(_ event: ExchangeEvent) {
        counts.withLock { counts in
            switch event.step {
            case .started: counts.starts += 1
            case .retrying: counts.retries += 1
            case .finished: counts.ends += 1
            default: break
            }
        }
    }
}
