import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a test sees of a running program.
struct ProgramProbe: ExchangeObserver {
    /// The observed exchanges that have begun, and those that have ended.
    let starts = EventLog(), ends = EventLog()
    /// The copies of a hedged request that have ended by themselves.
    let copies = EventLog()

    func observe(_ event: ExchangeEvent) {
        switch event.step {
        case .started: starts("\(event.id)")
        case .finished: ends("\(event.id)")
        default: break
        }
    }
}

extension PolicyProgram {
    /// The dispatcher with all of it.
    func dispatcher(over engine: ProgramEngine, _ probe: ProgramProbe) throws -> any DataDispatcher {
        var decorated: any TransferEngine = engine
        for decoration in decorations {
            decorated =
                switch decoration {
                // If a slot isn't given back, the next request hangs.
                case .limit: decorated.limited(to: concurrency)
                case .circuit: decorated.breaking(CircuitBreaker(clock: engine.clock))
                case .coalescing: decorated.coalescing()
                }
        }
        var dispatcher: any DataDispatcher = URLRequestDispatcher(engine: decorated)
        for layer in layers.reversed() { dispatcher = try put(layer, on: dispatcher, engine.clock, probe) }
        return dispatcher
    }

    private func put(
        _ layer: Layer, on base: any DataDispatcher, _ clock: ManualClock, _ probe: ProgramProbe
    ) throws -> any DataDispatcher {
        switch layer {
        case .retry(let attempts):
            var policy = RetryPolicy.fixed(clock)
            policy.maximumAttempts = attempts
            (policy.baseDelay, policy.throttledBaseDelay) = (Self.unit * 2, Self.unit * 4)
            policy.maximumDelay = Self.unit * 100
            return base.retrying(policy)
        case .deadline(let limit):
            return base.deadline(limit, clock: clock)
        case .hedge(let delay, let copies):
            var policy = HedgePolicy(after: delay, clock: clock)
            policy.maximumCopies = copies
            return Telling(base: base, ended: probe.copies).hedged(policy)
        case .credentials:
            return base.authenticated(by: try authenticator(clock))
        case .validation: return base.validating()
        case .observation: return base.observed(by: probe)
        }
    }

    private func authenticator(_ clock: ManualClock) throws -> Authenticator<String> {
        let refreshes = Counter(), failing = failingRefreshes
        var authenticator = Authenticator("1", for: try url("https://example.com"), clock: clock) { request, token in
            request.setValue(token, forHTTPHeaderField: "Authorization")
        } refresh: { token in
            let isFailing = failing[(refreshes.increment() - 1) % failing.count]
            try await clock.sleep(for: Self.refreshLatency)
            if isFailing { throw ProgramRefreshError() }
            return token + "1"
        }
        authenticator.timeLimit = Self.refreshLimit
        return authenticator
    }
}

/// The error of a failing refresh.
struct ProgramRefreshError: Error {}

extension ResponseFuture where Success: ResponseInterface {
    /// The ending, as the model names it.
    var programEnding: String {
        get async {
            do { return "\(try await value.head.status ?? 0)" } catch let error as UnacceptableStatusError {
                return "unacceptable \(error.statusCode.rawValue)"
            } catch let error as TransferError {
                return error.kind.rawValue
            } catch is DeadlineExceeded {
                return "deadline"
            } catch is ProgramRefreshError {
                return "refresh"
            } catch {
                return error is CancellationError ? "cancelled" : "\(error)"
            }
        }
    }
}
