import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

@Suite("A future's progress as an AsyncSequence", .timeLimit(.minutes(10)))
struct ProgressUpdatesTests {
    private func progress(_ count: Int64) -> TransferProgress {
        TransferProgress(bytesReceived: count, bytesExpectedToReceive: 10)
    }

    /// A future that makes ten updates as soon as it is started, and then ends.
    private func transfer() -> ResponseFuture<Int> {
        ResponseFuture<Int> { future in
            for count in 1...10 {
                future.update(with: TransferUpdate(stage: .received, progress: progress(Int64(count))))
            }
            future.succeed(with: 1)
        }
    }

    @Test("A slow consumer gets the newest, or what the buffering policy keeps; then the end")
    func buffering() async {
        let future = transfer()
        var newest = future.progressUpdates().makeAsyncIterator()
        var all = future.progressUpdates(bufferingPolicy: .unbounded).makeAsyncIterator()
        let hasEnded = Gate()
        future.onCompletion { hasEnded.open() }.send()
        await hasEnded.opened()
        #expect(await newest.next(isolation: nil) == progress(10))
        #expect(await newest.next(isolation: nil) == nil)
        for count in 1...10 { #expect(await all.next(isolation: nil) == progress(Int64(count))) }
        #expect(await all.next(isolation: nil) == nil)
    }

    @Test("COLD: it starts nothing")
    func cold() {
        let future = transfer()
        _ = future.progressUpdates().makeAsyncIterator()
        #expect(future.status == .created)
    }

    @Test("MEMO: on a settled future it ends at once", arguments: 0..<3)
    func late(ending: Int) async {
        let future = transfer().then { if ending == 1 { throw Mishap(number: $0) } else { $0 } }
        if ending == 2 { future.cancel() } else { _ = await future.result }
        for await _ in future.progressUpdates() { Issue.record("progress") }
    }

    @Test("A loop on the main actor follows a request to its end")
    @MainActor
    func loop() async throws {
        let server = try LoopbackServer.start(), gate = LoopbackGate()
        server.handle(
            "GET", "/slow",
            reply: LoopbackReply(steps: [
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "200")]), .pattern(count: 100),
                .gate(gate), .patternRange(100..<200),
            ]))
        let future = URLRequestDispatcher(configuration: .ephemeral)
            .dataFuture(from: server.request("/slow"))
        let progress = future.progressUpdates()
        future.send()
        var last: TransferProgress?
        for await progress in progress {
            #expect(MainQueue.isCurrent)
            if progress.percentReceived == 0.5 { gate.open() }
            last = progress
        }
        #expect(gate.isOpen)
        #expect(last?.percentReceived == 1)
        #expect(future.status == .success)
    }
}
