import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads with an early answer", .timeLimit(.minutes(10)))
struct EarlyAnswerTests {
    /// Chunks that are handed out one by one, and the number of those asked for.
    private struct CountedChunks: AsyncSequence, Sendable {
        let asked = Log<Int>()
        let chunks: AsyncStream<Data>

        struct Iterator: AsyncIteratorProtocol {
            let asked: Log<Int>
            var chunks: AsyncStream<Data>.Iterator
            var count = 0

            mutating func next(isolation actor: isolated (any Actor)?) async -> Data? {
                count += 1
                asked.append(count)
                return await chunks.next(isolation: actor)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(asked: asked, chunks: chunks.makeAsyncIterator()) }
    }

    @Test("After an early answer, too, each sent chunk shows that the server still takes the body")
    func sentAfterHead() async throws {
        let server = try LoopbackServer.start(), gate = LoopbackGate()
        defer { gate.open() }
        server.handle("POST", "/early", body: .ignore) { _ in
            LoopbackReply(steps: [.head(status: 200, headers: [LoopbackHeader("Content-Length", "1")]), .gate(gate)])
        }
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        let chunks = CountedChunks(chunks: stream), log = Log<TransferEvent>()
        var request = server.request("/early")
        request.httpMethod = "POST"
        let engine = makeStandardEngine(.ephemeral)
        guard engine.streamsBodies else { return }
        let handle = engine.start(TransferRequest(request, body: .chunks(TransferChunks(chunks)))) { log.append($0) }
        defer { handle.cancel() }
        continuation.yield(Data("1".utf8))
        _ = await log.first { if case .head = $0 { true } else { false } }
        let before = log.all.count
        continuation.yield(Data("22".utf8))
        continuation.yield(Data("333".utf8))
        // A chunk is asked for as soon as the one before it is read, and reported after that.
        _ = await chunks.asked.first { $0 == 4 }
        let sent = log.all.dropFirst(before).compactMap { if case .sent(let bytes, _) = $0 { bytes } else { nil } }
        #expect(sent.contains(3), "\(sent)")
    }
}
