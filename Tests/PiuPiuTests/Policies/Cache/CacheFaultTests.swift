import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that a test drives event by event.
private final class ManualOrigin: TransferEngine {
    typealias Receiver = @Sendable (TransferEvent) -> Void

    private let exchanges = Watched<[(URLRequest, Receiver)]>([])
    let cancels = Watched(0)

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        exchanges.withLock { $0.append((request.urlRequest, onEvent)) }
        return Handle(cancels: cancels)
    }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}

    var count: Int { exchanges.withLock { $0.count } }

    /// Waits for a request, counted from 1.
    func request(_ number: Int) async { await exchanges.wait { $0.count >= number } }

    func send(_ number: Int, status: Int, _ fields: [(String, String)]) throws {
        let (request, receiver) = exchanges.withLock { $0[number - 1] }
        let head = TransferHead(url: try #require(request.url), status: status, fields: fields)
        receiver(.head(head, request: request))
    }

    func send(_ number: Int, _ events: TransferEvent...) {
        let receiver = exchanges.withLock { $0[number - 1].1 }
        for event in events { receiver(event) }
    }

    private struct Handle: TransferHandle {
        let cancels: Watched<Int>
        func cancel() { cancels.withLock { $0 += 1 } }
    }
}

@Suite("HTTP cache: cancellations, pauses and removals at the wrong moment", .timeLimit(.minutes(10)))
struct CacheFaultTests {
    private let clock = WallClock()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func isCancellation(_ event: TransferEvent?) -> Bool {
        if case .failed(let error) = event { error is CancellationError } else { false }
    }

    private static let short = [("Cache-Control", "max-age=1, stale-if-error=60"), ("ETag", "\"a\"")]

    @Test("R4, K5: a cancellation between two hops is not forgotten", arguments: [304, 503])
    func cancelledBetween(status: Int) async throws {
        // The cache looks at the clock while it decides on the next hop.
        let onLook = Locked<(@Sendable () -> Void)?>(nil)
        let cache = HTTPCache(now: { [clock] in
            onLook.withLock { $0 }?()
            return Date(timeIntervalSince1970: clock.now)
        })
        let origin = ManualOrigin(), engine = origin.cached(in: cache)
        let request = TransferRequest(URLRequest(url: try url("http://host/a")))
        let first = Watched<[TransferEvent]>([])
        _ = engine.start(request) { event in first.withLock { $0.append(event) } }
        try origin.send(1, status: 200, Self.short)
        origin.send(1, .body(Data("a".utf8)), .finished)
        await first.wait { $0.last?.isTerminal == true }
        clock.advance(by: 10)
        // Cancels at each look in turn, so at the one that matters as well.
        for look in 1...6 {
            let events = Watched<[TransferEvent]>([]), looks = Counter(), count = origin.count
            let handle = engine.start(request) { event in events.withLock { $0.append(event) } }
            await origin.request(count + 1)
            onLook.withLock { $0 = { if looks.increment() == look { handle.cancel() } } }
            try origin.send(count + 1, status: status, [("ETag", "\"b\"")])
            origin.send(count + 1, .finished)
            onLook.withLock { $0 = nil }
            if looks.value < look { handle.cancel() }
            // A second request follows in a task, if any. The server ends it, whether it was cancelled or not.
            let second = Task {
                await origin.request(count + 2)
                if origin.count > count + 1 { origin.send(count + 2, .failed(TransferError(.truncated))) }
            }
            await events.wait { $0.last?.isTerminal == true }
            second.cancel()
            await second.value
            let isOver = looks.value < look
            #expect(isOver || isCancellation(events.withLock { $0.last }), "look \(look)")
        }
    }

    @Test("K5 STALE: nothing replaces an answer that breaks off after its head was delivered")
    func brokenOff() async throws {
        let cache = HTTPCache(now: { [clock] in Date(timeIntervalSince1970: clock.now) })
        let origin = ManualOrigin(), engine = origin.cached(in: cache)
        let request = TransferRequest(URLRequest(url: try url("http://host/a")))
        let ends = Counter()
        _ = engine.start(request) { if $0.isTerminal { ends.increment() } }
        try origin.send(1, status: 200, Self.short)
        origin.send(1, .body(Data("a".utf8)), .finished)
        #expect(ends.value == 1)
        clock.advance(by: 10)
        let events = Watched<[TransferEvent]>([])
        _ = engine.start(request) { event in events.withLock { $0.append(event) } }
        await origin.request(2)
        try origin.send(2, status: 200, [("ETag", "\"b\"")])
        origin.send(2, .body(Data("b".utf8)), .failed(TransferError(.truncated)))
        await events.wait { $0.last?.isTerminal == true }
        let all = events.withLock { $0 }
        #expect(all.count == 3)
        if case .failed(let error as TransferError) = all.last {
            #expect(error.kind == .truncated)
        } else {
            Issue.record("\(all)")
        }
    }

    /// A cache over a folder that has a body of 2 MB, and an engine over it.
    private func large() async throws -> (HTTPCache, any TransferEngine, TransferRequest) {
        let cache = HTTPCache(folder: folder.url)
        let origin = CacheOrigin(FolderScene.letters(2_000_000)), engine = origin.cached(in: cache)
        let request = URLRequest(url: try url("http://host/a"))
        _ = try await URLRequestDispatcher(engine: engine).dataFuture(from: request).value
        return (cache, engine, TransferRequest(request))
    }

    @Test("PROMPT: a cancelled request stops reading its file")
    func givenUp() async throws {
        let (_, engine, request) = try await large()
        let handle = Box<any TransferHandle>(), bodies = Counter(), log = Watched<[TransferEvent]>([])
        let isHandleThere = DispatchSemaphore(value: 0)
        handle.value = engine.start(request) { event in
            // The events may come before the handle.
            if case .head = event { isHandleThere.wait() }
            if case .body = event {
                bodies.increment()
                handle.value?.cancel()
            }
            log.withLock { $0.append(event) }
        }
        isHandleThere.signal()
        await log.wait { $0.last?.isTerminal == true }
        #expect(isCancellation(log.withLock { $0.last }))
        #expect(bodies.value <= 1)
    }

    @Test(
        "K12 STREAMS: a file is read to its end after pauses, and may be cancelled in one",
        arguments: [false, true])
    func paused(isCancelled: Bool) async throws {
        let (cache, engine, request) = try await large()
        let handle = Box<any TransferHandle>(), log = Watched<[TransferEvent]>([]), count = Locked(0)
        handle.value = engine.start(request) { event in
            if case .body(let chunk) = event { count.withLock { $0 += chunk.count } }
            log.withLock { $0.append(event) }
        }
        handle.value?.pause()
        handle.value?.resume()
        handle.value?.pause()
        await log.wait { !$0.isEmpty }
        if isCancelled { handle.value?.cancel() } else { handle.value?.resume() }
        await log.wait { $0.last?.isTerminal == true }
        if !isCancelled { #expect(count.withLock { $0 } == 2_000_000) }
        #expect(log.withLock { $0.count { $0.isTerminal } } == 1)
        #expect(cache.unfinished == (0, 0))
    }

    @Test("K8 INVALIDATE, K10 STORAGE: a response removed in flight doesn't keep a newer one from being stored")
    func newerThanRemoved() async throws {
        let cache = HTTPCache(now: { [clock] in Date(timeIntervalSince1970: clock.now) })
        let origin = ManualOrigin(), engine = origin.cached(in: cache)
        let request = TransferRequest(URLRequest(url: try url("http://host/a")))
        let ended = Counter()
        for number in 1...2 {
            _ = engine.start(request) { if $0.isTerminal { ended.increment() } }
            try origin.send(number, status: 200, [("Cache-Control", "max-age=60")])
            if number == 1 { cache.remove(try url("http://host/a")) }
        }
        origin.send(2, .body(Data("new".utf8)), .finished)
        #expect(cache.statistics.stores == 1)
        origin.send(1, .body(Data("old".utf8)), .finished)
        #expect(cache.statistics.stores == 1)
        #expect(cache.unfinished == (0, 0))
        let response = try await URLRequestDispatcher(engine: engine).dataFuture(from: request.urlRequest).value
        #expect(response.data == Data("new".utf8))
        #expect(ended.value == 2)
    }

    @Test("K2 STORE: a failed exchange leaves nothing unfinished, even if its engine retains it")
    func failedAndHeld() throws {
        let cache = HTTPCache(), origin = ManualOrigin(), engine = origin.cached(in: cache)
        _ = engine.start(TransferRequest(URLRequest(url: try url("http://host/a")))) { _ in }
        try origin.send(1, status: 200, [("Cache-Control", "max-age=60")])
        #expect(cache.unfinished == (1, 1))
        origin.send(1, .failed(TransferError(.truncated)))
        #expect(cache.unfinished == (0, 0))
    }

    @Test("K10 STORAGE: a response removed while it is read from the folder doesn't come back")
    func removedWhileRead() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let origin = CacheOrigin { request, _ in
            let isKept = request.value(forHTTPHeaderField: "X") != nil
            return .init(
                fields: [("Cache-Control", isKept ? "max-age=60" : "no-store"), ("Vary", "X")],
                body: FolderScene.letters(50_000, 1))
        }
        let place = try url("http://host/a")
        for round in 0..<20 {
            let first = HTTPCache(folder: folder.url)
            var request = URLRequest(url: place)
            // Enough of them that reading takes longer than the rest.
            for variant in 0..<30 {
                request.setValue("\(variant)", forHTTPHeaderField: "X")
                _ = try await URLRequestDispatcher(engine: origin).cached(in: first).dataFuture(from: request).value
            }
            await first.flush()
            request.setValue(nil, forHTTPHeaderField: "X")
            let second = HTTPCache(folder: folder.url)
            let future = URLRequestDispatcher(engine: origin).cached(in: second).dataFuture(from: request)
            async let answer = future.value
            let microseconds = Int.random(in: 0..<5_000, using: &generator)
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
                    if round % 2 == 0 { second.removeAll() } else { second.remove(place) }
                    continuation.resume()
                }
            }
            _ = try await answer
            await second.flush()
            #expect(second.statistics.memoryCount == 0, "seed \(seed), round \(round)")
            #expect(try folder.names == [], "seed \(seed), round \(round)")
        }
    }

    @Test(
        "K10 STORAGE: a response removed or replaced alone, while the files of its URL are read, doesn't come back",
        arguments: [false, true])
    func changedWhileRead(isReplaced: Bool) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let fields = [("Cache-Control", "max-age=60"), ("Vary", "X")], place = try url("http://host/a")
        let origin = CacheOrigin { request, _ in
            let isFirst = request.value(forHTTPHeaderField: "X") == "0"
            return .init(fields: fields, body: isFirst ? "old" : FolderScene.letters(50_000, 1))
        }
        // Without room in memory.
        let newFields =
            isReplaced ? fields + [("Long", FolderScene.letters(5_000, 1))] : [("Cache-Control", "no-store")]
        for round in 0..<20 {
            let folder = try TemporaryFolder(), first = HTTPCache(folder: folder.url)
            var request = URLRequest(url: place)
            // Enough of them that reading takes longer than the rest.
            for variant in 0..<30 {
                request.setValue("\(variant)", forHTTPHeaderField: "X")
                _ = try await URLRequestDispatcher(engine: origin).cached(in: first).dataFuture(from: request).value
            }
            await first.flush()
            // Has room for the old response, so that every other request reads all files.
            let second = HTTPCache(memoryLimit: 4_000, folder: folder.url)
            let engine = DirectedEngine(), cached = engine.cached(in: second), last = EventTrace()
            cached.start(try hop("/a", headers: ["X": "0", "Cache-Control": "no-cache"]), EventTrace())
            await engine.started(1)
            let reader = cached.start(try hop("/a", headers: ["X": "none"]), EventTrace())
            let microseconds = Int.random(in: 0..<5_000, using: &generator)
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
                    let head = TransferHead(url: place, status: 200, fields: newFields)
                    engine.tell(0, .head(head, request: URLRequest(url: place)))
                    engine.tell(0, .body(Data("new".utf8)))
                    engine.tell(0, .finished)
                    continuation.resume()
                }
            }
            await engine.started(2)
            reader.cancel()
            await second.flush()
            cached.start(try hop("/a", headers: ["X": "0", "Cache-Control": "only-if-cached"]), last)
            #expect(await last.end == (isReplaced ? "200 new ." : "504 ."), "seed \(seed), round \(round)")
            #expect(second.unfinished == (0, 0))
        }
    }

    @Test(
        "K1 KEY, K10 STORAGE: however often responses of one user are stored, another user's look-up comes to its end",
        .timeLimit(.minutes(10)))
    func storedWhileRead() async throws {
        let scene = try FolderScene(), first = scene.cache(), second = scene.cache()
        _ = try await scene.get(over: first)
        await first.flush()
        let engine = DirectedEngine(), cached = engine.cached(in: second), place = try url("http://host/a")
        // With a condition of its own it is forwarded without a look-up, and its answer is stored.
        let other = try hop("/a", headers: ["Authorization": "B", "If-None-Match": "\"b\""])
        let isOver = Locked(false), reader = EventTrace()
        // In each turn of the folder: one of them is always between the start of a look-up and its turn.
        @Sendable func storeAgain() {
            guard !isOver.withLock({ $0 }) else { return }
            second.performInFolder { storeAgain() }
            let number = engine.state.withLock { $0.hops.count }
            cached.start(other, EventTrace())
            let head = TransferHead(url: place, status: 200, fields: [("Cache-Control", "max-age=60")])
            engine.tell(number, .head(head, request: other.urlRequest))
            engine.tell(number, .finished)
        }
        second.performInFolder { storeAgain() }
        cached.start(try hop("/a"), reader)
        #expect(await reader.end == "200 body 1 .")
        isOver.withLock { $0 = true }
        await second.flush()
        #expect(try scene.files.count == 2)
    }
}
