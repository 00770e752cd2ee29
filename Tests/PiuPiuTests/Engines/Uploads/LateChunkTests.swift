import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads with late chunks", .timeLimit(.minutes(10)))
struct LateChunkTests {
    /// A chunk, and another one when the test allows it, whatever is cancelled meanwhile.
    private struct StubbornChunks: AsyncSequence, Sendable {
        let asksAgain = Gate(), mayGoOn = Gate(), isLetGoOf = Gate()

        final class Iterator: AsyncIteratorProtocol {
            private let chunks: StubbornChunks
            private var count = 0

            init(_ chunks: StubbornChunks) {
                self.chunks = chunks
            }

            deinit { chunks.isLetGoOf.open() }

            func next() async -> Data? {
                count += 1
                guard count > 1 else { return Data("first".utf8) }
                chunks.asksAgain.open()
                await chunks.mayGoOn.opened()
                return Data("second".utf8)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(self) }
    }

    @Test(
        "NEVER-HANG, MEMORY: a chunk that arrives after the engine is released is refused, and its sequence is released"
    )
    func lateChunk() async throws {
        let server = try LoopbackServer.start()
        let chunks = StubbornChunks()
        do {
            let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
            var request = server.request("/sink")
            request.httpMethod = "POST"
            let future = dispatcher.uploadFuture(from: request, with: .chunks(TransferChunks(chunks)))
            future.send()
            await chunks.asksAgain.opened()
            // A separate connection, which stays open as long as the engine lives.
            _ = try await dispatcher.dataFuture(from: server.request("/text")).value
            future.cancel()
            await #expect(throws: CancellationError.self) { try await future.value }
        }
        try await server.waitForClosedConnections()
        chunks.mayGoOn.open()
        await chunks.isLetGoOf.opened()
    }

    #if canImport(FoundationNetworking)
        @Test(
            "PROMPT: chunks whose handler of a cancellation blocks hold up no exchange of the engine",
            arguments: [false, true])
        func blockingCancellation(isAnswered: Bool) async throws {
            let server = try LoopbackServer.start(), mayAnswer = LoopbackGate(), isAsked = Gate()
            let mayReturn = DispatchSemaphore(value: 0), isInTime = Locked(true), isCancelled = Gate(), isOver = Gate()
            defer { mayReturn.signal() }
            server.handle("POST", "/early", body: .ignore) { _ in
                LoopbackReply(steps: [.gate(mayAnswer)] + LoopbackReply.text("big", status: 413).steps + [.stall])
            }
            let chunks = AskedChunks(1) { _ in
                await withTaskCancellationHandler {
                    isAsked.open()
                    await isOver.pass()
                } onCancel: {
                    isCancelled.open()
                    // A limit, so that a test that fails also ends.
                    if mayReturn.wait(timeout: .now() + 300) == .timedOut { isInTime.withLock { $0 = false } }
                    isOver.open()
                }
            }
            let dispatcher = URLRequestDispatcher(engine: try #require(CurlEngine(configuration: .ephemeral)))
            var request = server.request("/early")
            request.httpMethod = "POST"
            let body = TransferBody.chunks(TransferChunks(chunks, length: 10))
            let future = dispatcher.uploadFuture(from: request, with: body)
            future.send()
            await isAsked.opened()
            if isAnswered {
                mayAnswer.open()
                #expect(try await future.value.head.status == 413)
            } else {
                future.cancel()
            }
            #expect(try await dispatcher.dataFuture(from: server.request("/text")).value.head.status == 200)
            await isCancelled.opened()
            #expect(isInTime.withLock { $0 })
        }
    #endif
}
