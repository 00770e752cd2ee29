import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A mock whose requests wait at a gate before they are answered.
struct Waiting: Sendable {
    let gate = Gate()
    let sent = Counter()
    /// Opened when one of the requests is cancelled.
    let cancelled = Gate()
    /// Whether a cancellation is noticed.
    var isDeaf = false

    var dispatcher: MockRouteTable {
        MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    sent.increment()
                    try await withTaskCancellationHandler {
                        if isDeaf { await gate.pass() } else { try await gate.passUnlessCancelled() }
                    } onCancel: {
                        cancelled.open()
                    }
                    return Response.makeMockResponse(with: request, data: Data("text".utf8), statusCode: .ok)
                })
        ])
    }
}

/// A clock that is advanced by hand and wakes no sleeper, so that every timer is late.
final class SleepyClock: Clock {
    private let state = Locked(ManualClock.Instant())

    var now: ManualClock.Instant { state.withLock { $0 } }
    var minimumResolution: Duration { .zero }

    func advance(by duration: Duration) { state.withLock { $0 = $0.advanced(by: duration) } }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await Gate().passUnlessCancelled()
    }
}

extension ResponseFuture {
    /// The limit and stage of a missed deadline, or how else the future ends.
    var stageOrEnding: String {
        get async {
            do { return "\(try await value)" } catch let error as DeadlineExceeded { return error.inShort } catch {
                return error is CancellationError ? "cancelled" : "\(error)"
            }
        }
    }
}

extension ResponseFuture where Success: ResponseInterface {
    /// The status, the missed deadline, or the kind of the error.
    var statusOrStage: String {
        get async {
            do { return try await "\(value.head.status ?? 0)" } catch let error as DeadlineExceeded {
                return error.inShort
            } catch let error as TransferError {
                return error.kind.rawValue
            } catch {
                return error is CancellationError ? "cancelled" : "\(error)"
            }
        }
    }
}

extension DeadlineExceeded {
    /// The limit and the stage.
    var inShort: String { "\(limit) \(stage)" }
}
