import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private enum Traits {
    @TaskLocal static var name = "nobody"
}

@Suite("Async engines: events", .timeLimit(.minutes(10)))
struct AsyncEngineEventTests {
    private func events(
        of engine: some AsyncTransferEngine, _ body: TransferBody = .none
    ) async -> [String] {
        let log = Log<TransferEvent>()
        _ = engine.start(ScriptedExchange.request(body)) { log.append($0) }
        return await log.untilTheEnd().map(\.summary)
    }

    @Test("Head, chunks, end; empty chunks are skipped")
    func order() async {
        let engine = ClosureEngine { _, _ in
            AsyncStream { stream in
                for text in ["", "a", "", "b"] { stream.yield(Data(text.utf8)) }
                stream.finish()
            }
        }
        #expect(await events(of: engine) == ["head 200", "a", "b", "finished"])
    }

    @Test("The head is delivered before the body arrives, and each chunk before the next")
    func asTheyCome() async {
        let head = Gate(), chunk = Gate()
        let chunks = AskedChunks(2) { await ($0 == 1 ? head : chunk).pass() }
        let engine = ClosureEngine { _, _ in chunks }
        let log = Log<TransferEvent>()
        _ = engine.start(ScriptedExchange.request()) { log.append($0) }
        await head.reached()
        #expect(log.all.map(\.summary) == ["head 200"])
        head.open()
        await chunk.reached()
        #expect(log.all.map(\.summary) == ["head 200", "1 "])
        chunk.open()
        #expect(await log.untilTheEnd().map(\.summary) == ["head 200", "1 ", "2 ", "finished"])
    }

    @Test("Chunks of the request's body are reported as the client takes them, also after the head")
    func sent() async {
        let engine = ClosureEngine { _, body in
            guard let body else { return AskedChunks(0) }
            var taken = 0
            for try await _ in body {
                taken += 1
                if taken == 2 { break }
            }
            return AskedChunks(1) { _ in
                for try await _ in body {}
            }
        }
        #expect(
            await events(of: engine, .data(Data(count: 300 << 10)))
                == [
                    "sent 131072 of 307200", "sent 262144 of 307200", "head 200", "sent 307200 of 307200", "1 ",
                    "finished",
                ])
    }

    @Test("A body that the client takes as a whole is reported when the head comes")
    func sentAsAWhole() async {
        let engine = ClosureEngine { request, _ in
            guard case .data(let data) = request.body else { throw TransferError(.unreadableBody) }
            return AsyncStream { stream in
                stream.yield(data)
                stream.finish()
            }
        }
        #expect(
            await events(of: engine, .data(Data("12345".utf8)))
                == ["sent 5 of 5", "head 200", "12345", "finished"])
    }

    @Test("A body that is read again is not reported again")
    func sentAgain() async {
        let engine = ClosureEngine { _, body in
            for _ in 0..<2 {
                guard let body else { break }
                for try await _ in body {}
            }
            return AskedChunks(0)
        }
        #expect(await events(of: engine, .data(Data("12345".utf8))) == ["sent 5 of 5", "head 200", "finished"])
    }

    @Test("One event at a time, although the body is sent in another task")
    func oneAtATime() async {
        struct Calls {
            var isInside = false
            var overlaps = 0
        }
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<300 {
            // One for each round: the next round begins while this one's last event still returns.
            let calls = Locked(Calls())
            let taken = Int.random(in: 0...4, using: &generator), given = Int.random(in: 0...4, using: &generator)
            let engine = ClosureEngine { _, body in
                Task {
                    guard let body else { return }
                    for try await _ in body {}
                }
                if taken > 0 { for try await _ in AskedChunks(taken * 3) {} }
                return AskedChunks(given)
            }
            let log = Log<TransferEvent>()
            _ = engine.start(ScriptedExchange.request(.chunks(TransferChunks(AskedChunks(20))))) { event in
                let isOverlap = calls.withLock { calls in
                    defer { calls.isInside = true }
                    return calls.isInside
                }
                if isOverlap { calls.withLock { $0.overlaps += 1 } }
                log.append(event)
                calls.withLock { $0.isInside = false }
            }
            let summaries = await log.untilTheEnd().map(\.summary)
            let head = summaries.firstIndex(of: "head 200") ?? 0
            #expect(summaries[..<head].allSatisfy { $0.hasPrefix("sent") })
            #expect(calls.withLock { $0.overlaps } == 0)
        }
    }

    @Test("No event comes inside start, nor on the main thread")
    @MainActor
    func offTheCaller() async {
        let engine = ClosureEngine { _, _ in AskedChunks(1) }
        let places = Log<Bool>()
        let log = Log<TransferEvent>()
        let handle = engine.start(ScriptedExchange.request()) { event in
            places.append(Thread.isMainThread)
            log.append(event)
        }
        _ = await log.untilTheEnd()
        handle.cancel()
        #expect(places.all == [false, false, false])
    }

    @Test("INHERIT: the client runs with the task-local values of the task that starts it")
    func taskLocals() async {
        let names = Log<String>()
        let engine = ClosureEngine { _, _ in
            names.append(Traits.name)
            return AskedChunks(0)
        }
        let log = Log<TransferEvent>()
        _ = Traits.$name.withValue("starter") { engine.start(ScriptedExchange.request()) { log.append($0) } }
        _ = await log.untilTheEnd()
        #expect(names.all == ["starter"])
    }

    /// An engine for one exchange at a time, which notes the names.
    private struct Narrow: AsyncTransferEngine {
        let exchanges = RunningExchanges()
        let names = Log<String>()
        let gate = Gate()

        var settings: TransferSettings {
            var settings = TransferSettings()
            settings.exchangesPerOrigin = 1
            return settings
        }

        func exchange(
            _ request: TransferRequest, body: TransferChunks?
        ) async throws -> (TransferHead, some AsyncSequence<Data, any Error>) {
            names.append(Traits.name)
            await gate.pass()
            let isNeverStored = [("Cache-Control", "no-store")]
            return (TransferHead(url: ScriptedExchange.url, status: 200, fields: isNeverStored), AskedChunks(0))
        }
    }

    enum Decoration: CaseIterable, Sendable {
        case none, breaking, cached, limited, limitedAndBreaking

        func over(_ engine: some TransferEngine) -> any TransferEngine {
            switch self {
            case .none: engine
            case .breaking: engine.breaking(CircuitBreaker())
            case .cached: engine.cached(in: HTTPCache())
            case .limited: engine.limited(to: 1)
            case .limitedAndBreaking: engine.breaking(CircuitBreaker()).limited(to: 1).cached(in: HTTPCache())
            }
        }
    }

    /// An engine over another one, as a user may write it.
    private struct Wrapping: TransferEngine {
        let base: any TransferEngine

        var streamsBodies: Bool { base.streamsBodies }
        var settings: TransferSettings { base.settings }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            base.start(request, onEvent: onEvent)
        }

        func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
        func invalidateAndCancel() { base.invalidateAndCancel() }
    }

    @Test(
        "INHERIT: an exchange that waits in line has the task-local values of its own starter, whatever the engine is",
        arguments: Decoration.allCases, [false, true])
    func taskLocalsInLine(decoration: Decoration, isWrapped: Bool) async {
        let engine = Narrow(), whole: any TransferEngine = isWrapped ? Wrapping(base: engine) : engine
        let driver = TransferDriver(decoration.over(whole))
        let logs = (0..<4).map { _ in Log<TransferEvent>() }
        var handles: [any TransferHandle] = []
        for (number, log) in logs.enumerated() {
            Traits.$name.withValue("\(number)") {
                handles.append(driver.start(ScriptedExchange.request()) { log.append($0) })
            }
        }
        handles[2].cancel()
        engine.gate.open()
        let ends = [["head 200", "measured", "finished"], ["cancelled"]]
        for (number, log) in logs.enumerated() {
            #expect(await log.untilTheEnd().map(\.summary) == ends[number == 2 ? 1 : 0])
        }
        #expect(engine.names.all == ["0", "1", "3"])
    }

    /// An engine of callbacks, outside of any task, which redirects once and notes the names.
    private struct Calling: TransferEngine {
        struct Handle: TransferHandle { func cancel() {} }

        let names = Log<String>()

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            names.append(Traits.name)
            let url = request.urlRequest.url ?? ScriptedExchange.url, isEnd = url.path() == "/end"
            let fields = isEnd ? [] : [(name: "Location", value: "/end")]
            let head = TransferHead(url: url, status: isEnd ? 200 : 302, fields: fields)
            DispatchQueue.global().async {
                onEvent(.head(head, request: request.urlRequest))
                onEvent(.finished)
            }
            return Handle()
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    @Test("INHERIT: over an engine of callbacks, the request after a redirect has its caller's task-local values, too")
    func taskLocalsAfterRedirect() async {
        let engine = Calling(), driver = TransferDriver(engine), log = Log<TransferEvent>()
        _ = Traits.$name.withValue("caller") { driver.start(ScriptedExchange.request()) { log.append($0) } }
        #expect(await log.untilTheEnd().map(\.summary) == ["head 200", "measured", "finished"])
        #expect(engine.names.all == ["caller", "caller"])
    }

    @Test("Behind a dispatcher: bodies, streams, and redirects that the engine doesn't know about")
    func behindADispatcher() async throws {
        struct Redirecting: AsyncTransferEngine {
            let exchanges = RunningExchanges()

            func exchange(
                _ request: TransferRequest, body: TransferChunks?
            ) async throws -> (TransferHead, some AsyncSequence<Data, any Error>) {
                guard let url = request.urlRequest.url else { throw TransferError(.unsupportedURL) }
                let isEnd = url.path() == "/end"
                let fields = isEnd ? [] : [(name: "Location", value: "/end")]
                return (TransferHead(url: url, status: isEnd ? 200 : 302, fields: fields), AskedChunks(isEnd ? 3 : 0))
            }
        }
        let dispatcher = URLRequestDispatcher(engine: Redirecting())
        let request = ScriptedExchange.request().urlRequest
        let response = try await dispatcher.dataFuture(from: request).value
        #expect(response.data == Data("1 2 3 ".utf8))
        #expect(response.urlResponse.url?.path() == "/end")
        var streamed = Data()
        for try await chunk in try await dispatcher.streamFuture(from: request).value.data { streamed += chunk }
        #expect(streamed == Data("1 2 3 ".utf8))
    }
}
