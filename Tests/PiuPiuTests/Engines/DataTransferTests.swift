import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A data transfer over any engine", .timeLimit(.minutes(10)))
struct DataTransferTests {
    /// Delivers a script of events, or nothing until it is cancelled.
    private struct ScriptedEngine: TransferEngine {
        struct Handle: TransferHandle {
            let onCancel: @Sendable () -> Void
            func cancel() { onCancel() }
        }

        let script: @Sendable (URLRequest) -> [TransferEvent]
        let started = Log<URLRequest>()
        let cancels = Locked(0)

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            let queue = DispatchQueue(label: "script")
            let events = script(request.urlRequest)
            queue.async { for event in events { onEvent(event) } }
            started.append(request.urlRequest)
            return Handle {
                cancels.withLock { $0 += 1 }
                queue.async { onEvent(.failed(CancellationError())) }
            }
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    private func head(_ request: URLRequest, length: Int) throws -> TransferEvent {
        let url = try #require(request.url)
        return .head(
            TransferHead(URLResponse(url: url, mimeType: nil, expectedContentLength: length, textEncodingName: nil)),
            request: request)
    }

    @Test func theBodyIsCollectedAndCounted() async throws {
        let request = URLRequest(url: try url("http://test/a"))
        let head = try head(request, length: 5)
        let engine = ScriptedEngine { _ in
            [
                .sent(bytes: 2, expected: 4), .sent(bytes: 4, expected: 4), head, .body(Data("ab".utf8)),
                .body(Data("cde".utf8)), .finished,
            ]
        }
        let updates = Log<TransferUpdate>()
        let output = try await engine.run(request) { updates.append($0) }
        #expect(output.data.text == "abcde")
        #expect(output.request == request)
        #expect(updates.all.map(\.stage) == [.started, .sent, .sent, .responded, .received, .received])
        #expect(updates.all.map(\.progress.bytesReceived) == [0, 0, 0, 0, 2, 5])
        #expect(updates.all.last?.progress.fractionReceived == 1)
        #expect(updates.all.last?.progress.fractionSent == 1)
    }

    @Test func aSecondHeadStartsOver() async throws {
        let request = URLRequest(url: try url("http://test/a"))
        let head = try head(request, length: -1)
        let engine = ScriptedEngine { _ in
            [head, .body(Data("wrong".utf8)), head, .body(Data("right".utf8)), .finished]
        }
        let updates = Log<TransferUpdate>()
        let output = try await engine.run(request) { updates.append($0) }
        #expect(output.data.text == "right")
        #expect(updates.all.map(\.stage) == [.started, .responded, .received, .received])
    }

    @Test func aTransferWithoutAHeadIsAnError() async throws {
        let engine = ScriptedEngine { _ in [.finished] }
        await #expect(throws: TransferError.self) {
            _ = try await engine.run(URLRequest(url: try url("http://test/a")))
        }
    }

    @Test func onlyTheFirstOutcomeCounts() async throws {
        let request = URLRequest(url: try url("http://test/a"))
        let head = try head(request, length: 0)
        let engine = ScriptedEngine { _ in [head, .finished, .failed(URLError(.unknown)), .finished] }
        #expect(try await engine.run(request).data == nil)
    }

    @Test func cancellingTheTaskCancelsTheExchange() async throws {
        let engine = ScriptedEngine { _ in [] }
        let task = Task { try await engine.run(URLRequest(url: try url("http://test/a"))) }
        _ = await engine.started.first { _ in true }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(engine.cancels.withLock { $0 } == 1)
    }

    @Test func aCancelledTaskStartsNothing() async throws {
        let engine = ScriptedEngine { _ in [.finished] }
        let updates = Log<TransferUpdate>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.run(URLRequest(url: try url("http://test/a"))) { updates.append($0) }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(engine.started.all.isEmpty)
        #expect(updates.all.isEmpty)
    }
}
