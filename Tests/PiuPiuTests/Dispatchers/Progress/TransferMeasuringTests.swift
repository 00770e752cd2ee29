import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Shares of transfers, and their averages", .timeLimit(.minutes(10)))
struct TransferMeasuringTests {
    private let half = TransferProgress(bytesReceived: 50, bytesExpectedToReceive: 100)
    private let sent = TransferProgress(bytesSent: 10, bytesExpectedToSend: 10)
    private let unknown = TransferProgress(bytesSent: 3, bytesReceived: 7)

    @Test("A share is nil while what is expected is unknown, zero or negative", arguments: [nil, 0, -1] as [Int64?])
    func unknownShare(expected: Int64?) {
        let progress = TransferProgress(
            bytesSent: 5, bytesExpectedToSend: expected, bytesReceived: 5, bytesExpectedToReceive: expected)
        #expect(progress.percentSent == nil)
        #expect(progress.percentReceived == nil)
        #expect(progress.percentRecieved == nil)
        #expect(progress.percentTransferred == nil)
    }

    @Test("The share transferred is the mean of both directions, or that of the one that is known")
    func shares() {
        let both = TransferProgress(
            bytesSent: 10, bytesExpectedToSend: 10, bytesReceived: 50, bytesExpectedToReceive: 100)
        #expect(both.percentSent == 1)
        #expect(both.percentReceived == 0.5)
        #expect(both.percentRecieved == 0.5)
        #expect(both.percentTransferred == 0.75)
        #expect(half.percentTransferred == 0.5)
        #expect(sent.percentTransferred == 1)
        #expect(TransferUpdate(stage: .received, progress: both).percentTransferred == 0.75)
    }

    @Test("Averages leave out unknown shares; without a known one there is no average")
    func averages() {
        let all = [half, sent, unknown]
        #expect(all.averagePercentSent == 1)
        #expect(all.averagePercentReceived == 0.5)
        #expect(all.averagePercentRecieved == 0.5)
        #expect(all.averagePercentTransferred == 0.75)
        #expect([unknown].averagePercentTransferred == nil)
        #expect([unknown].averagePercentSent == nil)
        #expect([unknown].averagePercentReceived == nil)
        #expect([TransferProgress]().averagePercentTransferred == nil)
        #expect(
            [half, half, half, sent].lazy.map { TransferUpdate(stage: .received, progress: $0) }
                .averagePercentTransferred == 0.625)
    }

    @Test("Transfers of several kinds have averages too")
    func existentials() throws {
        let task = URLSession.shared.dataTask(with: try url("http://127.0.0.1:9/"))
        defer { task.cancel() }
        let all: [any TransferMeasuring] = [half, TransferUpdate(stage: .sent, progress: sent), task]
        #expect(all.averagePercentSent == 1)
        #expect(all.averagePercentReceived == 0.5)
        #expect(all.averagePercentRecieved == 0.5)
        #expect(all.averagePercentTransferred == 0.75)
    }

    @Test("Foundation's tasks: by state, and nil before anything is known")
    func tasks() async throws {
        let server = try LoopbackServer.start()
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let suspended = session.dataTask(with: server.url("/text"))
        let running = session.dataTask(with: server.request("/fault/stall"))
        let hasEnded = Gate()
        let completed = session.dataTask(with: server.request("/bytes/1000")) { _, _, _ in
            // The task learns of its end after this handler returns.
            session.delegateQueue.addOperation { hasEnded.open() }
        }
        #expect([suspended, running, completed].suspended == [suspended, running, completed])
        running.resume()
        completed.resume()
        await hasEnded.opened()
        let tasks = [suspended, running, completed]
        #expect(tasks.suspended == [suspended])
        #expect(tasks.running == [running])
        #expect(tasks.completed == [completed])
        #expect(tasks.cancelling == [])
        #expect(suspended.percentTransferred == nil)
        #expect([suspended, running].averagePercentTransferred == nil)
    }

    @Test("Foundation's tasks: a download that a delegate follows counts, on Linux as well")
    func downloadTask() async throws {
        let server = try LoopbackServer.start()
        let follower = DownloadFollower()
        let session = URLSession(configuration: .ephemeral, delegate: follower, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let task = session.downloadTask(with: server.request("/bytes/100000"))
        task.resume()
        await follower.hasEnded.opened()
        #expect(task.percentReceived == 1)
        #expect(task.transferProgress.bytesReceived == 100_000)
    }

    @Test(
        "UPDATES: the legacy line shows 0 at first and 1 at the end, for data, uploads and downloads",
        arguments: ["data", "upload", "download"])
    func legacyLine(kind: String) async throws {
        let server = try LoopbackServer.start(), folder = try TemporaryFolder()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        let bar = Bar()
        let hasEnded = Gate()
        var request = server.request("/bytes/300000")
        switch kind {
        case "data":
            send(dispatcher.dataFuture(from: request), bar, hasEnded)
        case "upload":
            request = server.request("/echo/body")
            request.httpMethod = "POST"
            send(dispatcher.uploadFuture(from: request, with: LoopbackPattern.data(count: 300_000)), bar, hasEnded)
        default:
            send(dispatcher.downloadFuture(from: request, to: folder.file("f")), bar, hasEnded)
        }
        await hasEnded.opened()
        let shown = await bar.shown
        #expect(shown.first == 0)
        #expect(shown.last == 1)
        #expect(shown.count > 2)
        #expect(shown.allSatisfy { (0...1).contains($0) })
    }

    private func send<Body>(_ future: ResponseFuture<Response<Body>>, _ bar: Bar, _ hasEnded: Gate) {
        future
            .updated { task in bar.progress = task.percentTransferred ?? 0 }
            .completion { hasEnded.open() }
            .send()
    }
}

private final class DownloadFollower: NSObject, URLSessionDownloadDelegate {
    let hasEnded = Gate()

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        // Not removed by URLSession on Linux.
        try? FileManager.default.removeItem(at: location)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        hasEnded.open()
    }
}

/// A progress bar, as a view has one.
@MainActor
private final class Bar {
    var shown: [Float] = []
    var progress: Float = 0 {
        didSet { shown.append(progress) }
    }
}
