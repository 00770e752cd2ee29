import Dispatch
import Foundation
import PiuPiu
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an answer from the memory of a cache costs, and whether that grows with what is kept.
enum CacheScenarios {
    static let all: [any Scenario] = [hit, burst] + Work.allCases.map(growth)

    private static let hit = TimedScenario(
        name: "cache-hit", title: "a response of 1 KB from the memory of a cache", expected: 1, peer: settledName,
        contenders: [
            Contender(settledName, .yardstick, settled),
            Contender(
                "PiuPiu, a hit", .piuPiu, targets: [.nanosecondsAbove(10_000, contender: settledName)], hits),
        ])

    private static let burst = TimedScenario(
        name: "coalesced-burst", title: "1,000 equal requests at once as one exchange, each of them", expected: 1,
        peer: apartName,
        contenders: [
            Contender(apartName, .yardstick) { count in try await bursts(count, isShared: false) },
            Contender("PiuPiu, `.coalescing`", .piuPiu) { count in try await bursts(count, isShared: true) },
        ])

    /// The work with a cache of a given size.
    fileprivate enum Work: String, CaseIterable {
        case lookUp = "look one up"
        case add = "add one"
        case replace = "add one and evict one"
    }

    private static func growth(_ work: Work) -> any Scenario {
        func name(_ count: Int) -> String { "PiuPiu, \(work.rawValue), of \(count)" }
        return TimedScenario(
            name: "cache-growth", title: "\(work.rawValue) in a cache that grows", expected: 1, peer: name(1_000),
            contenders: [1_000, 10_000, 100_000].map { size in
                let targets: [Target] = size == 1_000 ? [] : [.atMost(2, timesContender: name(1_000))]
                let stand = SizedStand(work, of: size)
                return Contender(
                    name(size), .piuPiu, targets: targets, { count in try await stand.answers(count) },
                    preparation: { count in try await stand.prepare(for: count) })
            })
    }

    private static let settledName = "a future that has its value"
    private static let apartName = "PiuPiu, each an exchange of its own"

    // MARK: Hits

    @inline(never) @concurrent
    private static func settled(_ count: Int) async throws -> Int {
        let stand = CacheStand(), future = stand.future(0)
        _ = try await future.value
        var sum = 0
        for _ in 0..<count { sum += try await future.value.data?.count == CacheStand.bodyLength ? 1 : 0 }
        return sum
    }

    @inline(never) @concurrent
    private static func hits(_ count: Int) async throws -> Int {
        let stand = CacheStand()
        try await stand.fill(1)
        return try await stand.answers(count) { _ in 0 }
    }

    // MARK: Bursts

    private static let width = 1_000

    @inline(never) @concurrent
    private static func bursts(_ count: Int, isShared: Bool) async throws -> Int {
        let burst = Burst(), server = ServerStandIn(burst: burst)
        let base: any TransferEngine = isShared ? server.coalescing() : server
        let dispatcher = URLRequestDispatcher(engine: BurstEngine(base: base, burst: burst))
        var sum = 0
        for start in stride(from: 0, to: count, by: width) {
            let request = CacheStand.request(start), number = min(width, count - start)
            burst.begin(number)
            let tasks = (0..<number).map { _ in
                Task { try await dispatcher.dataFuture(from: request).value.data?.count ?? 0 }
            }
            for task in tasks { sum += try await task.value == CacheStand.bodyLength ? 1 : 0 }
            let exchanges = burst.exchanges, expected = isShared ? 1 : number
            guard exchanges == expected else {
                throw WrongResult(
                    scenario: "coalesced-burst", contender: isShared ? "the exchanges, shared" : apartName,
                    expected: expected, result: exchanges)
            }
        }
        return sum
    }
}

/// A cache that has the same size at the start of each run.
private final class SizedStand: Sendable {
    private struct Filled: Sendable {
        let stand: CacheStand
        let size: Int
        /// The number of the first response that it doesn't have.
        var next: Int
    }

    /// From here on all numbers are equally long, and so take all responses the same memory.
    private static let first = 1_000_000

    private let work: CacheScenarios.Work
    private let size: Int
    private let filled = Mutex<Filled?>(nil)

    init(_ work: CacheScenarios.Work, of size: Int) {
        self.work = work
        self.size = size
    }

    /// Fills a cache, or removes what the last run has added.
    func prepare(for count: Int) async throws {
        // A large cache takes long to fill: not for the few of a quick run.
        let size = min(size, 1_000 * count)
        var filled = self.filled.withLock { $0 }
        if filled?.size != size {
            // One at a time, as each may take much memory.
            self.filled.withLock { $0 = nil }
            filled = nil
        }
        var new = if let filled { filled } else { try await fill(size) }
        if work == .add {
            new.stand.remove((Self.first + size)..<new.next)
            new.next = Self.first + size
        }
        self.filled.withLock { [new] in $0 = new }
        try expect(size, new.stand.cache.statistics.memoryCount, "the responses")
    }

    private func fill(_ size: Int) async throws -> Filled {
        var limit = Int.max
        if work == .replace {
            let probe = CacheStand()
            _ = try await probe.answers(1) { Self.first + $0 }
            limit = size * probe.cache.statistics.memorySize
        }
        let stand = CacheStand(memoryLimit: limit)
        // The last one of a full cache is the first that makes room.
        let count = work == .replace ? size + 1 : size
        _ = try await stand.answers(count) { Self.first + $0 }
        try expect(count - size, stand.cache.statistics.evictions, "the evictions")
        return Filled(stand: stand, size: size, next: Self.first + count)
    }

    func answers(_ count: Int) async throws -> Int {
        let filled = self.filled.withLock { filled in
            defer { filled?.next += work == .lookUp ? 0 : count }
            return filled
        }
        guard let filled else { return 0 }
        let stand = filled.stand, before = stand.cache.statistics.evictions
        let sum =
            switch work {
            // Neither in the order of arrival nor in reverse.
            case .lookUp: try await stand.answers(count) { Self.first + $0 &* 7_919 % filled.size }
            case .add, .replace: try await stand.answers(count) { filled.next + $0 }
            }
        try expect(work == .replace ? count : 0, stand.cache.statistics.evictions - before, "the evictions")
        return sum
    }

    private func expect(_ expected: Int, _ result: Int, _ what: String) throws {
        guard result == expected else {
            throw WrongResult(
                scenario: "cache-growth", contender: "\(what), \(work.rawValue)", expected: expected, result: result)
        }
    }
}

/// A dispatcher with a cache over a server without a socket.
private struct CacheStand {
    static let bodyLength = 1_024

    let cache: HTTPCache
    let dispatcher: URLRequestDispatcher

    init(memoryLimit: Int = .max) {
        cache = HTTPCache(memoryLimit: memoryLimit)
        dispatcher = URLRequestDispatcher(engine: ServerStandIn()).cached(in: cache)
    }

    static func request(_ number: Int) -> URLRequest {
        URLRequest(url: base.appending(path: "\(number)"))
    }

    private static let base = URL(string: "http://127.0.0.1/posts") ?? URL(filePath: "/")

    func future(_ number: Int) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(from: Self.request(number))
    }

    func fill(_ count: Int) async throws { _ = try await answers(count) { $0 } }

    func remove(_ numbers: Range<Int>) {
        for number in numbers {
            if let url = Self.request(number).url { cache.remove(url) }
        }
    }

    func answers(_ count: Int, _ number: (Int) -> Int) async throws -> Int {
        var sum = 0
        for index in 0..<count {
            sum += try await future(number(index)).value.data?.count == Self.bodyLength ? 1 : 0
        }
        return sum
    }
}

/// Requests that come together: the server answers none of them before all have come.
private final class Burst: Sendable {
    private struct State: Sendable {
        var missing = 0
        var exchanges = 0
        var answers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// The exchanges since the beginning.
    var exchanges: Int { state.withLock { $0.exchanges } }

    func begin(_ count: Int) { state.withLock { $0 = State(missing: count) } }

    /// A request has come.
    func note() {
        let answers = state.withLock { state -> [@Sendable () -> Void] in
            state.missing -= 1
            guard state.missing == 0 else { return [] }
            defer { state.answers = [] }
            return state.answers
        }
        for answer in answers { answer() }
    }

    /// An exchange has begun; calls `answer` once all requests have come.
    func answerLater(_ answer: @escaping @Sendable () -> Void) {
        let isComplete = state.withLock { state in
            state.exchanges += 1
            if state.missing > 0 { state.answers.append(answer) }
            return state.missing <= 0
        }
        if isComplete { answer() }
    }
}

/// Tells a burst which requests have come, decorated or not.
private struct BurstEngine: TransferEngine {
    let base: any TransferEngine
    let burst: Burst

    var streamsBodies: Bool { base.streamsBodies }
    var settings: TransferSettings { base.settings }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        defer { burst.note() }
        return base.start(request, onEvent: onEvent)
    }

    func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
    func invalidateAndCancel() { base.invalidateAndCancel() }
}

/// Answers each request, at once or when its burst is complete, with what may be kept.
private struct ServerStandIn: TransferEngine {
    private static let body = Data(repeating: 0x61, count: CacheStand.bodyLength)
    private static let fields = [
        ("Content-Type", "application/json"), ("Cache-Control", "max-age=3600"), ("ETag", "\"a\""),
    ]

    private struct Handle: TransferHandle {
        func cancel() {}
    }

    var burst: Burst?

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let answer = { @Sendable in
            DispatchQueue.global().async {
                guard let url = request.urlRequest.url else { return }
                onEvent(
                    .head(TransferHead(url: url, status: 200, fields: Self.fields), request: request.urlRequest))
                onEvent(.body(Self.body))
                onEvent(.finished)
            }
        }
        if let burst { burst.answerLater(answer) } else { answer() }
        return Handle()
    }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}
}
