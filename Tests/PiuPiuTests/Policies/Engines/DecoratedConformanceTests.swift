import EngineConformance
import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The ways to decorate an engine.
enum Decoration: String, CaseIterable, Sendable {
    case limited, breaking, coalescing, cached, all

    /// All together; in the separate run of the large transfers, each one alone as well.
    static var tested: [Decoration] {
        ProcessInfo.processInfo.environment["PIUPIU_LARGE_TRANSFERS"] == nil ? [.all] : allCases
    }

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

@Suite("Decorated engines: conformance", .serialized, .timeLimit(.minutes(10)))
struct DecoratedConformanceTests {
    @Test(
        "A decorated engine passes the checks of every engine", arguments: EngineConformance.checks,
        Decoration.tested)
    func conforms(check: EngineCheck, decoration: Decoration) async throws {
        try await check.run { decoration.engine() }
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

    @Test(
        "A coalescing engine conforms, except where equal requests are counted",
        .enabled(if: Decoration.tested.contains(.coalescing)),
        arguments: EngineConformance.checks.filter { !$0.name.hasPrefix("invalidation: what runs is cancelled") })
    func coalesced(check: EngineCheck) async throws {
        try await check.run { makeStandardEngine(.ephemeral).coalescing() }
    }
}
