import EngineConformance
import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The standard engine as the client of an async engine.
private struct BridgedEngine: AsyncTransferEngine {
    private let client = makeStandardEngine(.ephemeral)
    let exchanges = RunningExchanges()

    var settings: TransferSettings { client.settings }

    func exchange(
        _ request: TransferRequest, body: TransferChunks?
    ) async throws -> (TransferHead, some AsyncSequence<Data, any Error>) {
        let (events, source) = AsyncThrowingStream.makeStream(of: TransferEvent.self)
        var request = request
        if let body, client.streamsBodies { request.body = .chunks(body) }
        let handle = client.start(request) { event in
            switch event {
            case .failed(let error): source.finish(throwing: error)
            case .finished: source.finish()
            case .head, .body, .sent, .measured: source.yield(event)
            }
        }
        source.onTermination = { _ in handle.cancel() }
        for try await event in events {
            guard case .head(let head, _) = event, head.status.map({ $0 >= 200 }) ?? true else { continue }
            return (head, events.compactMap { if case .body(let chunk) = $0 { chunk } else { nil } })
        }
        try Task.checkCancellation()
        throw TransferError(.badResponse)
    }
}

@Suite("Async engines: conformance", .timeLimit(.minutes(10)))
struct AsyncEngineConformanceTests {
    @Test("An async engine does what every engine has to do", arguments: EngineConformance.checks)
    func conforms(check: EngineCheck) async throws {
        try await check.run { BridgedEngine() }
    }

    #if canImport(FoundationNetworking)
        @Test(
            "Answers that crash a process in FoundationNetworking are typed errors",
            arguments: EngineConformance.deadlyAnswers)
        func survives(check: EngineCheck) async throws {
            try await check.run { BridgedEngine() }
        }

        @Test("A request is sent twice only where that is allowed", arguments: EngineConformance.onceChecks)
        func sendsOnce(check: EngineCheck) async throws {
            try await check.run { BridgedEngine() }
        }
    #endif
}
