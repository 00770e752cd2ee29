import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server whose pages change, by themselves and by a POST, and whose answers come in chunks.
private final class StormOrigin: TransferEngine {
    private let versions = Locked<[String: Int]>([:])
    /// How many exchanges have not ended.
    let running = Watched(0)
    /// How often it was told that no more exchanges follow.
    let ends = Watched(0)

    static let sizes = [0, 100, 1_500, 3_000, 300_000, 1_500_000, 3_000_000]

    func version(of path: String) -> Int { versions.withLock { $0[path] ?? 0 } }

    func change(_ path: String) { versions.withLock { $0[path, default: 0] += 1 } }

    static func body(_ path: String, _ version: Int) -> Data {
        let size = sizes[(Int(path.dropFirst()) ?? 0) % sizes.count]
        return Data("\(path) \(version)|".utf8) + Data(repeating: UInt8(97 + version % 26), count: size)
    }

    /// The version of a body; `nil` if the body isn't this page's.
    static func version(of data: Data, _ path: String) -> Int? {
        let start = String(decoding: data.prefix { $0 != UInt8(ascii: "|") }, as: UTF8.self)
        guard let version = Int(start.dropFirst(path.count + 1)), body(path, version) == data else { return nil }
        return version
    }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        running.withLock { $0 += 1 }
        let exchange = Exchange { [running] event in
            onEvent(event)
            if event.isTerminal { running.withLock { $0 -= 1 } }
        }
        guard let url = request.urlRequest.url else { return exchange }
        let path = url.path()
        if request.urlRequest.httpMethod == "POST" { change(path) }
        let version = version(of: path), tag = "\"\(version)\""
        let page = Int(path.dropFirst()) ?? 0
        let control = [
            "max-age=60", "max-age=1", "max-age=1, stale-while-revalidate=20", "max-age=1, stale-if-error=99",
        ]
        let isSame = request.urlRequest.value(forHTTPHeaderField: "If-None-Match") == tag
        let isBroken = version % 7 == 6
        let status = isBroken ? 503 : isSame ? 304 : 200
        let fields = [("Cache-Control", control[page % 4]), ("ETag", tag)]
        exchange.push(.head(TransferHead(url: url, status: status, fields: fields), request: request.urlRequest))
        if status == 200 || isBroken, request.urlRequest.httpMethod != "HEAD" {
            let body = Self.body(path, version)
            for start in stride(from: 0, to: body.count, by: 100_000) {
                exchange.push(.body(Data(body[start..<min(start + 100_000, body.count)])))
            }
        }
        // Some break off.
        exchange.push(version % 5 == 4 ? .failed(TransferError(.truncated, url: url)) : .finished)
        return exchange
    }

    func finishTasksAndInvalidate() { ends.withLock { $0 += 1 } }
    func invalidateAndCancel() {}

    private final class Exchange: TransferHandle {
        private let queue = DispatchQueue(label: "storm")
        private let onEvent: Locked<(@Sendable (TransferEvent) -> Void)?>

        init(_ onEvent: @escaping @Sendable (TransferEvent) -> Void) { self.onEvent = Locked(onEvent) }

        func push(_ event: TransferEvent) {
            queue.async { self.onEvent.withLock { event.isTerminal ? $0.take() : $0 }?(event) }
        }

        func cancel() {
            DispatchQueue.global().async {
                self.queue.sync { self.onEvent.withLock { $0.take() } }?(.failed(CancellationError()))
            }
        }
    }
}

/// Counts the exchanges of a cache that have not ended. A caller doesn't wait for one that it has cancelled.
private struct CountedCache: AnsweringEngine {
    let base: any TransferEngine
    let running = Watched(0)

    init(_ base: any TransferEngine) { self.base = base }

    var streamsBodies: Bool { base.streamsBodies }
    var settings: TransferSettings { base.settings }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        running.withLock { $0 += 1 }
        return base.start(request) { [running] event in
            onEvent(event)
            if event.isTerminal { running.withLock { $0 -= 1 } }
        }
    }

    func answer(to request: TransferRequest) -> [TransferEvent]? {
        (base as? any AnsweringEngine)?.answer(to: request)
    }

    func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
    func invalidateAndCancel() { base.invalidateAndCancel() }
}

/// Environment: `PIUPIU_CACHE_STORMS` runs that many, one after the other; `PIUPIU_SEED` seeds the first.
@Suite("HTTP cache: concurrency", .timeLimit(.minutes(10)))
struct CacheStormTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test("K1 to K12: whatever happens at once, each answer is one that the server could have given by then")
    func storm() async throws {
        let rounds = Self.environment["PIUPIU_CACHE_STORMS"].flatMap { Int($0) } ?? 1
        let first = Self.environment["PIUPIU_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0 ... .max / 2)
        for seed in first..<first + UInt64(rounds) {
            let storm = Storm(folder: try TemporaryFolder(), seed: seed)
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<8 { group.addTask { await storm.work(worker) } }
            }
            let cache = storm.cache
            await storm.end()
            #expect(storm.wrong.withLock { $0 } == [], "seed \(seed)")
            #expect(cache.unfinished == (0, 0), "seed \(seed)")
            let figures = cache.statistics
            #expect(figures.failures == 0, "seed \(seed)")
            #expect(figures.memorySize <= 8_000 && figures.diskSize <= 5_000_000, "seed \(seed)")
            #expect(figures.hits > 0 && figures.validations > 0 && figures.misses > 0 && figures.evictions > 0)
            cache.removeAll()
            await cache.flush()
            #expect(try storm.folder.names == [], "seed \(seed)")
            #if os(Linux)
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                        .hasPrefix(storm.folder.url.path) == true
                }
                #expect(open == [], "seed \(seed)")
            #endif
        }
    }
}

private final class Storm: Sendable {
    let folder: TemporaryFolder
    let origin = StormOrigin()
    let clock = WallClock()
    let cache: HTTPCache
    let wrong = Locked<[String]>([])
    private let seed: UInt64
    private let engine: CountedCache
    private let dispatcher: URLRequestDispatcher
    /// The lowest version that may answer a request that starts now.
    private let least = Locked<[String: Int]>([:])

    init(folder: TemporaryFolder, seed: UInt64) {
        self.folder = folder
        self.seed = seed
        cache = HTTPCache(
            memoryLimit: 8_000, folder: folder.url, diskLimit: 5_000_000,
            now: { [clock] in Date(timeIntervalSince1970: clock.now) })
        engine = CountedCache(origin.cached(in: cache))
        dispatcher = URLRequestDispatcher(engine: engine)
    }

    /// Suspends until all is over that the workers have begun: cancelled requests and renewals in the background, too.
    func end() async {
        dispatcher.finishTasksAndInvalidate()
        await engine.running.wait { $0 == 0 }
        await origin.ends.wait { $0 == 1 }
        await origin.running.wait { $0 == 0 }
        await cache.flush()
    }

    func work(_ worker: Int) async {
        var generator = SeededGenerator(seed: seed &* 8 &+ UInt64(worker))
        for _ in 0..<100 {
            let path = "/\(Int.random(in: 0..<14, using: &generator))"
            guard let url = URL(string: "http://host\(path)") else { continue }
            var request = URLRequest(url: url)
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<2: forget(all: true, path, url)
            case 2..<6: forget(all: false, path, url)
            case 6..<10: clock.advance(by: 2)
            case 10..<20: origin.change(path)
            case 20..<26:
                request.httpMethod = "POST"
                // An error changes nothing.
                guard let response = try? await dispatcher.dataFuture(from: request).value,
                    response.head.status == 200,
                    let version = StormOrigin.version(of: response.data ?? Data(), path)
                else { continue }
                raise([path: version])
            case 26..<34: await stream(request, path, mayStop: true, &generator)
            case 34..<42: await stream(request, path, mayStop: false, &generator)
            case 42..<56: await cancelled(request, path, &generator)
            case 56..<62:
                request.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
                await get(request, path)
            case 62..<66:
                request.httpMethod = "HEAD"
                _ = try? await dispatcher.dataFuture(from: request).value
            default: await get(request, path)
            }
        }
    }

    private func raise(_ versions: [String: Int]) {
        least.withLock { $0.merge(versions) { max($0, $1) } }
    }

    /// Nothing stored earlier may answer after this.
    private func forget(all: Bool, _ path: String, _ url: URL) {
        // Responses in flight are older than this.
        origin.change(path)
        let paths = all ? (0..<14).map { "/\($0)" } : [path]
        let versions = Dictionary(uniqueKeysWithValues: paths.map { ($0, origin.version(of: $0)) })
        if all { cache.removeAll() } else { cache.remove(url) }
        raise(versions)
    }

    private func check(_ data: Data, _ path: String, atLeast least: Int) {
        guard let version = StormOrigin.version(of: data, path) else {
            return wrong.withLock { $0.append("\(path): \(data.count) bytes, \(data.prefix(20).map { $0 })") }
        }
        if version < least { wrong.withLock { $0.append("\(path): version \(version) after \(least)") } }
    }

    private func get(_ request: URLRequest, _ path: String) async {
        let least = least.withLock { $0[path] ?? 0 }
        await expect(path) {
            let response = try await dispatcher.dataFuture(from: request).value
            check(response.data ?? Data(), path, atLeast: least)
        }
    }

    /// Only a truncated answer may fail.
    private func expect(_ path: String, _ work: () async throws -> Void) async {
        do { try await work() } catch let error as TransferError where error.kind == .truncated {
        } catch { wrong.withLock { $0.append("\(path): \(error)") } }
    }

    private func cancelled(_ request: URLRequest, _ path: String, _ generator: inout SeededGenerator) async {
        let least = least.withLock { $0[path] ?? 0 }
        let future = dispatcher.dataFuture(from: request)
        let delay = Int.random(in: 0..<3_000, using: &generator)
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay)) { future.cancel() }
        guard let response = try? await future.value else { return }
        check(response.data ?? Data(), path, atLeast: least)
    }

    private func stream(
        _ request: URLRequest, _ path: String, mayStop: Bool, _ generator: inout SeededGenerator
    ) async {
        let least = least.withLock { $0[path] ?? 0 },
            stopsAt = mayStop ? Int.random(in: 1..<4, using: &generator) : .max
        await expect(path) {
            var data = Data(), count = 0
            for try await chunk in try await dispatcher.streamFuture(from: request).value.data {
                data += chunk
                count += 1
                if count == stopsAt { return }
                // Other work between two reads: the server is ahead of the reader.
                _ = StormOrigin.body("/6", count)
            }
            check(data, path, atLeast: least)
        }
    }
}
