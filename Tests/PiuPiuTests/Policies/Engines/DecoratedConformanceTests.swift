import EngineConformance
import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The ways to decorate an engine.
enum Decoration: Sendable {
    case limited, breaking, coalescing, cached, all

    /// All together are tested each time; each one alone in the separate run of the large transfers.
    static var areTestedAlone: Bool { ProcessInfo.processInfo.environment["PIUPIU_LARGE_TRANSFERS"] != nil }

    func engine() -> any TransferEngine {
        let engine = makeStandardEngine(.ephemeral)
        return switch self {
        case .limited: engine.limited(to: 6, perHost: 4)
        case .breaking: engine.breaking(Self.patient)
        case .coalescing: NumberingEngine(base: engine.coalescing())
        case .cached: engine.cached(in: HTTPCache())
        case .all:
            NumberingEngine(
                base: engine.limited(to: 6, perHost: 4).breaking(Self.patient).cached(in: HTTPCache()).coalescing())
        }
    }

    /// Many checks cause failures, which must not open a circuit.
    private static var patient: CircuitBreaker {
        var breaker = CircuitBreaker.standard
        breaker.minimumExchanges = .max
        return breaker
    }
}

/// Makes each request unique, as checks count equal requests that arrive.
private struct NumberingEngine: TransferEngine {
    let base: any TransferEngine
    private let count = Counter()

    init(base: any TransferEngine) { self.base = base }

    var streamsBodies: Bool { base.streamsBodies }
    var settings: TransferSettings { base.settings }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        var request = request
        request.urlRequest.setValue("\(count.increment())", forHTTPHeaderField: "X-Number")
        return base.start(request, onEvent: onEvent)
    }

    func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
    func invalidateAndCancel() { base.invalidateAndCancel() }
}

/// In their separate run the checks of a decoration go one after the other, as they are many; the decorations side by side.
@Suite("Decorated engines: conformance", .timeLimit(.minutes(10)))
struct DecoratedConformanceTests {
    @Suite("All decorations together")
    struct Together {
        @Test("A decorated engine passes the checks of every engine", arguments: EngineConformance.checks)
        func conforms(check: EngineCheck) async throws {
            try await check.run { Decoration.all.engine() }
        }

        #if canImport(FoundationNetworking)
            @Test(
                "Answers that end a process in FoundationNetworking are typed errors",
                arguments: EngineConformance.deadlyAnswers)
            func survives(check: EngineCheck) async throws {
                try await check.run { Decoration.all.engine() }
            }

            @Test("No request is sent twice that must go once", arguments: EngineConformance.onceChecks)
            func sendsOnce(check: EngineCheck) async throws {
                try await check.run { Decoration.all.engine() }
            }
        #endif
    }

    @Suite("A limit alone", .serialized, .enabled(if: Decoration.areTestedAlone))
    struct Limited {
        @Test("A limited engine passes the checks of every engine", arguments: EngineConformance.checks)
        func conforms(check: EngineCheck) async throws {
            try await check.run { Decoration.limited.engine() }
        }
    }

    @Suite("A breaker alone", .serialized, .enabled(if: Decoration.areTestedAlone))
    struct Breaking {
        @Test("A breaking engine passes the checks of every engine", arguments: EngineConformance.checks)
        func conforms(check: EngineCheck) async throws {
            try await check.run { Decoration.breaking.engine() }
        }
    }

    @Suite("A cache alone", .serialized, .enabled(if: Decoration.areTestedAlone))
    struct Cached {
        @Test("A cached engine passes the checks of every engine", arguments: EngineConformance.checks)
        func conforms(check: EngineCheck) async throws {
            try await check.run { Decoration.cached.engine() }
        }
    }

    @Suite("Coalescing alone", .serialized, .enabled(if: Decoration.areTestedAlone))
    struct Coalescing {
        @Test("A coalescing engine passes the checks of every engine", arguments: EngineConformance.checks)
        func conforms(check: EngineCheck) async throws {
            try await check.run { Decoration.coalescing.engine() }
        }
    }

    @Suite("Coalescing of equal requests", .serialized, .enabled(if: Decoration.areTestedAlone))
    struct CoalescingEqual {
        @Test(
            "A coalescing engine conforms, except where equal requests are counted",
            arguments: EngineConformance.checks.filter { !$0.name.hasPrefix("invalidation: what runs is cancelled") })
        func conforms(check: EngineCheck) async throws {
            try await check.run { makeStandardEngine(.ephemeral).coalescing() }
        }
    }
}
