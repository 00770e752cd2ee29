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
            Contender(apartName, .yardstick) { count in try await bursts(count) { $0 } },
            Contender("PiuPiu, `.coalescing`", .piuPiu) { count in try await bursts(count) { $0.coalescing() } },
        ])

    /// The work with a cache of a given size.
    private enum Work: String, CaseIterable {
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
                return Contender(name(size), .piuPiu, targets: targets) { count in
                    // A large cache takes long to fill: not for the few of a quick run.
                    let size = min(size, 1_000 * count)
                    let stand = try await stands.stand(of: size, isFull: work == .replace)
                    return switch work {
                    // Neither in the order of arrival nor in reverse.
                    case .lookUp: try await stand.answers(count) { $0 &* 7_919 % size }
                    case .add, .replace: try await stand.answers(count) { _ in stands.nextNumber() }
                    }
                }
            })
    }

    /// The caches, each filled once, as filling must not be measured.
    private static let stands = CacheStands()

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
    private static func bursts(
        _ count: Int, _ decorate: (URLRequestDispatcher) -> URLRequestDispatcher
    ) async throws -> Int {
        let dispatcher = decorate(URLRequestDispatcher(engine: ServerStandIn()))
        var sum = 0
        for start in stride(from: 0, to: count, by: width) {
            let request = CacheStand.request(start)
            let tasks = (0..<min(width, count - start)).map { _ in
                Task { try await dispatcher.dataFuture(from: request).value.data?.count ?? 0 }
            }
            for task in tasks { sum += try await task.value == CacheStand.bodyLength ? 1 : 0 }
        }
        return sum
    }
}

/// Caches of several sizes.
private final class CacheStands: Sendable {
    private let stands = Mutex<[[Int]: CacheStand]>([:])
    private let lastNumber = Atomic(1_000_000)

    func stand(of size: Int, isFull: Bool) async throws -> CacheStand {
        let key = [size, isFull ? 1 : 0]
        if let stand = stands.withLock({ $0[key] }) { return stand }
        let stand = CacheStand(memoryLimit: isFull ? size * CacheStand.cost : .max)
        try await stand.fill(size)
        stands.withLock { $0[key] = stand }
        return stand
    }

    /// The number of a response that no cache has.
    func nextNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// A dispatcher with a cache over a server without a socket.
private struct CacheStand {
    static let bodyLength = 1_024
    /// About what a response takes in the memory of a cache.
    static let cost = 1_700

    let dispatcher: URLRequestDispatcher

    init(memoryLimit: Int = .max) {
        dispatcher = URLRequestDispatcher(engine: ServerStandIn()).cached(in: HTTPCache(memoryLimit: memoryLimit))
    }

    static func request(_ number: Int) -> URLRequest {
        URLRequest(url: base.appending(path: "\(number)"))
    }

    private static let base = URL(string: "http://127.0.0.1/posts") ?? URL(filePath: "/")

    func future(_ number: Int) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(from: Self.request(number))
    }

    func fill(_ count: Int) async throws { _ = try await answers(count) { $0 } }

    func answers(_ count: Int, _ number: (Int) -> Int) async throws -> Int {
        var sum = 0
        for index in 0..<count {
            sum += try await future(number(index)).value.data?.count == Self.bodyLength ? 1 : 0
        }
        return sum
    }
}

/// Answers each request at once, with what may be kept.
private struct ServerStandIn: TransferEngine {
    private static let body = Data(repeating: 0x61, count: CacheStand.bodyLength)
    private static let fields = [
        ("Content-Type", "application/json"), ("Cache-Control", "max-age=3600"), ("ETag", "\"a\""),
    ]

    private struct Handle: TransferHandle {
        func cancel() {}
    }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        DispatchQueue.global().async {
            guard let url = request.urlRequest.url else { return }
            onEvent(
                .head(TransferHead(url: url, status: 200, fields: Self.fields), request: request.urlRequest))
            onEvent(.body(Self.body))
            onEvent(.finished)
        }
        return Handle()
    }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}
}
