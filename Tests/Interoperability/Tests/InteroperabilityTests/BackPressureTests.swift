import AsyncHTTPClientEngine
import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The engine over async-http-client: back-pressure", .timeLimit(.minutes(10)))
struct BackPressureTests {
    @Test("MEMORY: back-pressure from a paused exchange stops the server, and resuming it lets the rest arrive")
    func pause() async throws {
        let length = 100_000_000, path = "/large"
        let server = try LoopbackServer.start(), gate = LoopbackGate()
        // All but the first byte comes after the pause, however long that takes.
        let head = LoopbackReply.Step.head(status: 200, headers: [LoopbackHeader("Content-Length", "\(1 + length)")])
        server.handle(
            "GET", path,
            reply: LoopbackReply(steps: [head, .pattern(count: 1), .gate(gate), .countedPattern(count: length)]))
        let engine = AsyncHTTPClientEngine()
        let (chunks, arrived) = AsyncStream.makeStream(of: Int.self)
        let handle = engine.start(TransferRequest(server.request(path))) { event in
            switch event {
            case .body(let chunk): arrived.yield(chunk.count)
            case .finished: arrived.finish()
            case .failed(let error):
                Issue.record(error)
                arrived.finish()
            case .head, .sent, .measured: break
            }
        }
        var received = 0
        var isPaused = false
        for await count in chunks {
            received += count
            guard !isPaused else { continue }
            isPaused = true
            handle.pause()
            gate.open()
            // Enough time for all of it to arrive, if it weren't paused.
            let dispatcher = URLRequestDispatcher(engine: engine)
            for _ in 0..<300 { _ = try await dispatcher.dataFuture(from: server.request("/text")).value }
            // The server is still sending: what is in flight fits into the buffers of two sockets and of the client.
            #expect(server.bytesSent(path: path) < length)
            handle.resume()
        }
        #expect(received == 1 + length)
    }
}
