import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Streams in recordings", .timeLimit(.minutes(10)))
struct RecordedStreamsTests {
    private let server: LoopbackServer
    private let recorder = RecordingDispatcher(URLRequestDispatcher(configuration: .ephemeral))
    private let event = "data: 1\n\n"

    init() throws {
        server = try LoopbackServer.start()
        // An event, and no end.
        let contentType = LoopbackHeader("Content-Type", "text/event-stream")
        let steps = LoopbackReply.chunked([Data(event.utf8)], headers: [contentType]).steps
        server.handle("GET", "/stall", reply: LoopbackReply(steps: steps.dropLast() + [.stall]))
        server.handle("GET", "/close", reply: LoopbackReply(steps: steps.dropLast() + [.close]))
    }

    /// What was recorded, read from a file.
    private func recording() async throws -> TrafficRecording {
        try TrafficRecording(data: TrafficRecording(try await recorder.ended(1)).data())
    }

    @Test("DOWN: what a cancelled task has read of a stream is recorded, and comes again")
    func cancelled() async throws {
        let request = server.request("/stall"), recorder = recorder
        let task = Task {
            for try await _ in try await recorder.streamFuture(from: request).value.data {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let exchange = try await recorder.ended(1)[0]
        guard case .cancelled = exchange.outcome else { return #expect(Bool(false), "\(exchange)") }
        #expect(exchange.responseData.text == event && exchange.statusCode == .ok)
        let replayer = ReplayingDispatcher(try await recording())
        let body = try await replayer.streamFuture(from: request).value.data
        var events: [String] = []
        for try await event in body.serverSentEvents { events.append(event.data) }
        #expect(events == ["1"])
    }

    @Test("A stream that breaks after its head is recorded with it, and breaks there in a replay")
    func broken() async throws {
        let request = server.request("/close")
        func read(_ dispatcher: some StreamDispatcher) async throws -> (text: String, error: TransferError?) {
            let response = try await dispatcher.streamFuture(from: request).makeHTTPResponse().value
            #expect(response.statusCode == .ok)
            #expect(response.httpResponse.value(forHTTPHeaderField: "Content-Type") == "text/event-stream")
            var read = Data()
            let error = await #expect(throws: TransferError.self) {
                for try await chunk in response.data { read += chunk }
            }
            return (String(decoding: read, as: UTF8.self), error)
        }
        let live = try await read(recorder)
        #expect(live.text == event && live.error != nil)
        let exchange = try await recorder.ended(1)[0]
        #expect(exchange.responseData.text == event && exchange.error is TransferError)
        let replayer = ReplayingDispatcher(try await recording())
        let replayed = try await read(replayer)
        #expect(replayed.text == event)
        #expect(replayed.error?.kind == live.error?.kind && replayed.error?.url == request.url)
        // Without a stream the whole body is waited for.
        let error = await #expect(throws: TransferError.self) { _ = try await replayer.dataFuture(from: request).value }
        #expect(error?.kind == live.error?.kind)
    }

    @Test("A stream that fails before its head is recorded as a failure")
    func refused() async throws {
        let request = server.request("/fault/reset")
        await #expect(throws: TransferError.self) { _ = try await recorder.streamFuture(from: request).value }
        let recording = try await recording()
        guard case .failure(let kind) = recording.exchanges.first?.outcome else {
            return #expect(Bool(false), "\(recording)")
        }
        let error = await #expect(throws: TransferError.self) {
            _ = try await ReplayingDispatcher(recording).streamFuture(from: request).value
        }
        #expect(error?.kind == kind)
    }
}
