import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of a cache with a time of day that they set.
protocol TimedCacheTests {
    var clock: WallClock { get }
    var cache: HTTPCache { get }
}

extension TimedCacheTests {
    func dispatcher(over origin: CacheOrigin) -> URLRequestDispatcher {
        URLRequestDispatcher(engine: origin).cached(in: cache)
    }

    func get(_ path: String = "/a", _ fields: [String: String] = [:]) throws -> URLRequest {
        var request = URLRequest(url: try url("http://host\(path)"))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}

extension HTTPCache {
    /// A cache in memory.
    init(_ clock: WallClock) {
        self.init(now: { Date(timeIntervalSince1970: clock.now) })
    }
}
