import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A cached redirect is reported outside of any task of the engine below.
@Suite("Task-local values of requests after a cached redirect", .timeLimit(.minutes(10)))
struct CacheInheritanceTests {
    private enum Traits {
        @TaskLocal static var name = "nobody"
    }

    /// Redirects each path to one of its own, where nothing may be stored; a stored redirect is confirmed.
    private struct RedirectingEngine: AsyncTransferEngine {
        let exchanges = RunningExchanges()
        let starts = Log<String>()

        func exchange(
            _ request: TransferRequest, body: TransferChunks?
        ) async throws -> (TransferHead, AskedChunks) {
            let url = try #require(request.urlRequest.url), path = url.path()
            starts.append("\(path) \(Traits.name)")
            guard path != "/target" else {
                return (TransferHead(url: url, status: 200, fields: [("Cache-Control", "no-store")]), AskedChunks(0))
            }
            let fields = [("Location", "/target"), ("Cache-Control", "max-age=60"), ("ETag", "\"a\"")]
            let isKnown = request.urlRequest.value(forHTTPHeaderField: "If-None-Match") != nil
            return (TransferHead(url: url, status: isKnown ? 304 : 301, fields: fields), AskedChunks(0))
        }
    }

    @Test(
        "INHERIT: it has the values of its own caller, whether the redirect is fresh or validated",
        arguments: [false, true], [false, true])
    func storedRedirect(isStale: Bool, isLimited: Bool) async throws {
        let engine = RedirectingEngine(), clock = WallClock()
        let cached = engine.cached(in: HTTPCache(clock))
        let dispatcher = URLRequestDispatcher(engine: isLimited ? cached.limited(to: 1) : cached)
        let request = URLRequest(url: try url("http://host/a"))
        for name in ["first", "second"] {
            try await Traits.$name.withValue(name) { _ = try await dispatcher.dataFuture(from: request).value }
            if isStale { clock.advance(by: 100) }
        }
        // A validation may be shared, so it has no caller's values.
        let validation = isStale ? ["/a nobody"] : []
        #expect(engine.starts.all == ["/a first", "/target first"] + validation + ["/target second"])
    }
}
