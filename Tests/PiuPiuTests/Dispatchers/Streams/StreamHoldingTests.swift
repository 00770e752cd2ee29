import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine whose exchange delivers what the test says.
private struct ScriptedEngine: TransferEngine {
    typealias Receiver = @Sendable (TransferEvent) -> Void

    let handle: any TransferHandle
    /// Whether all of it is delivered before the handle is returned.
    var isHasty = false
    let run: @Sendable (TransferRequest, @escaping Receiver) -> Void

    func start(_ request: TransferRequest, onEvent: @escaping Receiver) -> any TransferHandle {
        if isHasty {
            run(request, onEvent)
        } else {
            // A thread of its own: a pause may block it, and the pool has few.
            Thread.detachNewThread { run(request, onEvent) }
        }
        return handle
    }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}
}

private struct DeafHandle: TransferHandle {
    func cancel() {}
}

/// A handle whose first pause takes effect only after the call of the resume that should end it.
private struct LateHandle: TransferHandle {
    let pauseHasBegun = Gate(), isResumed = Gate()
    private let isLate = DispatchSemaphore(value: 0)
    private let held = Locked(false)

    var isHeld: Bool { held.withLock { $0 } }

    func cancel() {}

    func pause() {
        pauseHasBegun.open()
        isLate.wait()
        held.withLock { $0 = true }
    }

    func resume() {
        held.withLock { $0 = false }
        isResumed.open()
    }

    /// Lets the pause take effect.
    func letPause() { isLate.signal() }
}

/// A handle whose resume takes effect only after the call of the next pause.
private struct SlowHandle: TransferHandle {
    private let resumeHasBegun = DispatchSemaphore(value: 0), paused = DispatchSemaphore(value: 0)
    private let isLate = DispatchSemaphore(value: 0)
    private let held = Locked(false)

    var isHeld: Bool { held.withLock { $0 } }

    func cancel() {}

    func pause() {
        held.withLock { $0 = true }
        paused.signal()
    }

    func resume() {
        resumeHasBegun.signal()
        isLate.wait()
        held.withLock { $0 = false }
    }

    /// Lets the resume take effect.
    func letResume() { isLate.signal() }

    /// Blocks until there was a pause.
    func waitForPause() { paused.wait() }

    /// Blocks until a resume has begun.
    func waitForResume() { resumeHasBegun.wait() }
}

/// A handle that signals when its transfer is paused and when it is resumed.
private struct PlainHandle: TransferHandle {
    let isPaused = Gate(), isResumed = Gate()

    func cancel() {}
    func pause() { isPaused.open() }
    func resume() { isResumed.open() }
}

/// An engine whose handles deliver a failure when they are released, whatever they delivered before.
private struct AnxiousEngine: TransferEngine {
    private final class Handle: TransferHandle {
        private let onEvent: ScriptedEngine.Receiver

        init(_ onEvent: @escaping ScriptedEngine.Receiver) {
            self.onEvent = onEvent
        }

        deinit { onEvent(.failed(CancellationError())) }

        func cancel() {}
    }

    let run: @Sendable (TransferRequest, @escaping ScriptedEngine.Receiver) -> Void

    func start(_ request: TransferRequest, onEvent: @escaping ScriptedEngine.Receiver) -> any TransferHandle {
        // Most of them deliver the end after the caller has the handle.
        Thread.detachNewThread { run(request, onEvent) }
        return Handle(onEvent)
    }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}
}

@Suite("Streams over engines that are late, or misbehave", .timeLimit(.minutes(10)))
struct StreamHoldingTests {
    /// The timeout is long, as the engines are silent until the test's next step, even on a busy machine.
    private func httpRequest() throws -> URLRequest {
        var request = URLRequest(url: try url("http://test/a"))
        request.timeoutInterval = 600
        return request
    }

    private func head(_ request: TransferRequest, status: Int = 200) -> TransferEvent {
        let url = request.urlRequest.url ?? URL(filePath: "/")
        let plain = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        return .head(TransferHead(response ?? plain), request: request.urlRequest)
    }

    @Test("NEVER-HANG: a pause that its resume overtakes doesn't pause the transfer for ever")
    func overtakenPause() async throws {
        let handle = LateHandle()
        let isAttached = DispatchSemaphore(value: 0)
        let receiver = Locked<ScriptedEngine.Receiver?>(nil)
        let engine = ScriptedEngine(handle: handle) { request, onEvent in
            onEvent(head(request))
            isAttached.wait()
            onEvent(.body(Data(count: 300 << 10)))
            // Otherwise the transfer would be over.
            receiver.withLock { $0 = onEvent }
        }
        let body = try await URLRequestDispatcher(engine: engine).streamFuture(from: httpRequest()).value.data
        // Otherwise the thread that attaches the handle could be the one that blocks.
        isAttached.signal()
        await handle.pauseHasBegun.opened()
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 300 << 10)
        handle.letPause()
        await handle.isResumed.opened()
        #expect(!handle.isHeld)
    }

    @Test("A transfer whose chunks arrive before its handle is still paused until they are read")
    func missedPause() async throws {
        let handle = PlainHandle()
        let receiver = Locked<ScriptedEngine.Receiver?>(nil)
        let engine = ScriptedEngine(handle: handle, isHasty: true) { request, onEvent in
            onEvent(head(request))
            onEvent(.body(Data(count: 300 << 10)))
            // Otherwise the transfer would be over.
            receiver.withLock { $0 = onEvent }
        }
        let body = try await URLRequestDispatcher(engine: engine).streamFuture(from: httpRequest()).value.data
        await handle.isPaused.opened()
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 300 << 10)
        await handle.isResumed.opened()
    }

    @Test("A transfer whose next pause overtakes its resume is still paused")
    func overtakenResume() async throws {
        let handle = SlowHandle()
        let isAttached = DispatchSemaphore(value: 0), isPaused = Gate(), isPausedAgain = Gate()
        let receiver = Locked<ScriptedEngine.Receiver?>(nil)
        let engine = ScriptedEngine(handle: handle) { request, onEvent in
            onEvent(head(request))
            isAttached.wait()
            onEvent(.body(Data(count: 300 << 10)))
            handle.waitForPause()
            isPaused.open()
            handle.waitForResume()
            onEvent(.body(Data(count: 300 << 10)))
            handle.letResume()
            // Otherwise the transfer would be over.
            receiver.withLock { $0 = onEvent }
            handle.waitForPause()
            isPausedAgain.open()
        }
        let body = try await URLRequestDispatcher(engine: engine).streamFuture(from: httpRequest()).value.data
        isAttached.signal()
        await isPaused.opened()
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 300 << 10)
        await isPausedAgain.opened()
        #expect(handle.isHeld)
    }

    @Test("A second head of a stream is a typed error for its reader, and no cancellation")
    func secondHead() async throws {
        let engine = ScriptedEngine(handle: DeafHandle()) { request, onEvent in
            onEvent(head(request, status: 401))
            onEvent(.body(Data("no".utf8)))
            onEvent(head(request))
            onEvent(.body(Data("yes".utf8)))
            onEvent(.finished)
        }
        let body = try await URLRequestDispatcher(engine: engine).streamFuture(from: httpRequest()).value.data
        let error = await #expect(throws: TransferError.self) { for try await _ in body {} }
        #expect(error?.kind == .badResponse)
        #expect(error?.url?.absoluteString == "http://test/a")
    }

    @Test("NEVER-HANG: an engine that drops its callback fails the future")
    func forgetfulEngine() async throws {
        let engine = ScriptedEngine(handle: DeafHandle()) { _, _ in }
        let dispatcher = URLRequestDispatcher(engine: engine)
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.dataFuture(from: httpRequest()).value
        }
        #expect(error?.url?.absoluteString == "http://test/a")
    }

    @Test("NEVER-HANG: an engine that drops its callback after the head fails the reader")
    func forgetfulStream() async throws {
        let engine = ScriptedEngine(handle: DeafHandle()) { request, onEvent in onEvent(head(request)) }
        let body = try await URLRequestDispatcher(engine: engine).streamFuture(from: httpRequest()).value.data
        await #expect(throws: TransferError.self) { for try await _ in body {} }
    }

    @Test("NEVER-HANG, SETTLE: a handle may deliver another event when it is released")
    func anxiousHandle() async throws {
        let engine = AnxiousEngine { request, onEvent in
            onEvent(head(request))
            onEvent(.body(Data("all".utf8)))
            onEvent(.finished)
        }
        let dispatcher = URLRequestDispatcher(engine: engine)
        for _ in 0..<50 {
            #expect(try await dispatcher.dataFuture(from: httpRequest()).value.data.text == "all")
            let body = try await dispatcher.streamFuture(from: httpRequest()).value.data
            var received = Data()
            for try await chunk in body { received += chunk }
            #expect(received == Data("all".utf8))
        }
    }

    @Test("DOWN: what arrives while a reader leaves is delivered to nobody, even while it is spilled to a file")
    func spillingWhileLeaving() async throws {
        for _ in 0..<50 {
            let hasLeft = Locked(false), isSpilling = Gate()
            let engine = ScriptedEngine(handle: DeafHandle()) { request, onEvent in
                onEvent(head(request))
                onEvent(.body(Data(count: 2 << 20)))
                // For some milliseconds; on a busy machine all may have come before.
                for count in 0..<1000 where !hasLeft.withLock({ $0 }) {
                    onEvent(.body(Data(count: 4 << 10)))
                    if count == 10 { isSpilling.open() }
                }
                onEvent(.finished)
            }
            let body = try await URLRequestDispatcher(engine: engine).streamFuture(from: httpRequest()).value.data
            for try await _ in body {
                await isSpilling.opened()
                break
            }
            hasLeft.withLock { $0 = true }
            await #expect(throws: StreamedBodyError.alreadyRead) {
                for try await chunk in body { Issue.record("\(chunk.count) bytes from somewhere") }
            }
        }
    }
}
