import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Random numbers that are always the same fraction of the range.
struct FixedGenerator: RandomNumberGenerator, Sendable {
    var fraction = 0.5

    // `Double.random` uses the lower bits.
    func next() -> UInt64 { UInt64(fraction * 0x1p53) }
}

/// A clock whose sleeps take no time, and are recorded.
final class SkippingClock: Clock {
    private let state = Locked((now: ManualClock.Instant(), sleeps: [Duration]()))

    var now: ManualClock.Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    /// The length of each sleep.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
    }
}

extension RetryPolicy {
    /// The standard policy by another clock, whose random numbers are all the same.
    static func fixed(_ clock: any Clock<Duration>, fraction: Double = 0.5, now: TimeInterval = 0) -> RetryPolicy {
        RetryPolicy(clock: clock, generator: FixedGenerator(fraction: fraction)) { Date(timeIntervalSince1970: now) }
    }
}

/// A mock that gives these answers in order, repeats the last, and records the requests.
func scripted(_ answers: MockAnswer...) -> RecordingDispatcher<MockRouteTable> {
    RecordingDispatcher(MockRouteTable(script: MockScript(answers)))
}

extension MockAnswer {
    static func number(_ status: Int, headers: [String: String] = [:]) -> MockAnswer {
        .status(StatusCode(rawValue: status), headers: headers)
    }

    static func broken(_ kind: TransferError.Kind) -> MockAnswer { .failure(TransferError(kind)) }
}

/// A request of a method.
func request(_ method: String, _ text: String = "https://example.com/posts") throws -> URLRequest {
    var request = try fixtureRequest(text)
    request.httpMethod = method
    request.timeoutInterval = 3600
    return request
}

extension ResponseFuture where Success: ResponseInterface {
    /// The status, or the kind of the error.
    var statusOrError: String {
        get async {
            do {
                return try await "\(value.head.status ?? 0)"
            } catch is CancellationError {
                return "cancelled"
            } catch let error as TransferError {
                return error.kind.rawValue
            } catch {
                return "\(error)"
            }
        }
    }
}
