import Foundation
import PiuPiu
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// The policies between the adapters and the engine, on a dispatcher with an engine of the tour's own.
    func decorations() async throws {
        let engine = TourEngine()
        let plain = URLRequestDispatcher(engine: engine)
        try await load(Array(repeating: 1, count: 20), by: plain.coalescing())
        let shared = engine.count
        // A request after the answer is an exchange of its own.
        transcript.expect(shared < 20, "coalescing: of twenty equal requests at once there were exchanges: \(shared)")

        try await load(Array(1...20), by: plain.limited(to: 4))
        transcript.expect(engine.count == shared + 20 && engine.highest <= 4, "limited: of twenty others four at once")

        var breaker = CircuitBreaker.standard
        breaker.minimumExchanges = 3
        let guarded = plain.breaking(breaker)
        for _ in 1...3 { _ = try await guarded.dataFuture(from: request("broken")).value }
        do {
            _ = try await guarded.dataFuture(from: request("posts/1")).value
            transcript.expect(false, "a server that has failed three times isn't asked again at once")
        } catch let error as CircuitOpenError {
            transcript.expect(engine.count == shared + 23, "breaking: \(error.localizedDescription)")
        }
    }

    /// Requests posts, all at once.
    private func load(_ ids: [Int], by dispatcher: URLRequestDispatcher) async throws {
        try await withThrowingTaskGroup { group in
            for id in ids {
                group.addTask { _ = try await dispatcher.dataFuture(from: request("posts/\(id)")).value }
            }
            try await group.waitForAll()
        }
    }
}

/// An engine without a network that counts its exchanges. It answers "broken" with 500.
private final class TourEngine: AsyncTransferEngine {
    private struct State: Sendable {
        var count = 0
        var running = 0
        var highest = 0
    }

    let exchanges = RunningExchanges()
    private let state = Mutex(State())

    /// How many exchanges have begun.
    var count: Int { state.withLock { $0.count } }

    /// How many there were at once, at most.
    var highest: Int { state.withLock { $0.highest } }

    func exchange(
        _ request: TransferRequest, body: TransferChunks?
    ) async throws -> (TransferHead, AsyncThrowingStream<Data, any Error>) {
        guard let url = request.urlRequest.url else { throw TransferError(.other) }
        state.withLock { state in
            state.count += 1
            state.running += 1
            state.highest = max(state.highest, state.running)
        }
        defer { state.withLock { $0.running -= 1 } }
        try await Task.sleep(for: .milliseconds(20))
        let status = url.lastPathComponent == "broken" ? 500 : 200
        return (TransferHead(url: url, status: status), AsyncThrowingStream { $0.finish() })
    }
}
