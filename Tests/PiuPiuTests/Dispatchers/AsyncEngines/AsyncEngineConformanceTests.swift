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
        // The thread sanitizer doesn't always see that a stream passes a value on; with this lock it does.
        let order = Locked(())
        var request = request
        if let body, client.streamsBodies { request.body = .chunks(body) }
        let handle = client.start(request) { event in
            order.withLock { _ in }
            switch event {
            case .failed(let error): source.finish(throwing: error)
            case .finished: source.finish()
            case .head, .body, .sent, .measured: source.yield(event)
            }
        }
        source.onTermination = { _ in handle.cancel() }
        for try await event in events {
            order.withLock { _ in }
            guard case .head(let head, _) = event, head.status.map({ $0 >= 200 }) ?? true else { continue }
            let chunks = events.compactMap { event in
                order.withLock { _ in }
                return if case .body(let chunk) = event { chunk } else { nil as Data? }
            }
            return (head, chunks)
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
