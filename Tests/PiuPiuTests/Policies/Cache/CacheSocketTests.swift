import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: over a real socket", .timeLimit(.minutes(10)))
struct CacheSocketTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let cache: HTTPCache
    private let dispatcher: URLRequestDispatcher

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        cache = HTTPCache(folder: folder.url.appending(path: "cache"))
        dispatcher = URLRequestDispatcher(configuration: .ephemeral).cached(in: cache)
    }

    private static let fresh = LoopbackHeader("Cache-Control", "max-age=3600")

    @Test(
        "K12 STREAMS: data, downloads and streams share stored responses", arguments: RecordedExchange.Kind.allCases,
        RecordedExchange.Kind.allCases)
    func kinds(first: RecordedExchange.Kind, second: RecordedExchange.Kind) async throws {
        guard first != .upload, second != .upload else { return }
        server.handle("GET", "/a", reply: .text("kept", headers: [Self.fresh]))
        for kind in [first, second] {
            #expect(try await kind.text(of: server.request("/a"), by: dispatcher, in: folder).value == "kept")
        }
        #expect(server.requestCount(path: "/a") == 1)
    }

    #if canImport(FoundationNetworking)
        @Test(
            "K2 STORE: a response that only the end of its connection ends isn't stored: it may be cut off",
            arguments: [
                ("", "body", false), ("Content-Length", "body", true),
                ("Transfer-Encoding", "4\r\nbody\r\n0\r\n\r\n", true),
            ])
        func endOfConnection(field: String, body: String, isStored: Bool) async throws {
            let value = field == "Transfer-Encoding" ? "chunked" : "4"
            let headers = [Self.fresh] + (field.isEmpty ? [] : [LoopbackHeader(field, value)])
            server.handle("GET", "/a") { _ in
                LoopbackReply(steps: [.head(status: 200, headers: headers), .body(Data(body.utf8)), .close])
            }
            for _ in 0..<2 {
                let response = try await dispatcher.dataFuture(from: server.request("/a")).value
                #expect(response.data == Data("body".utf8))
            }
            #expect(server.requestCount(path: "/a") == (isStored ? 1 : 2))
        }
    #endif

    @Test(
        "K12 STREAMS, MEMORY: a large body goes to a file while it is read, and comes from there",
        arguments: [false, true])
    func large(isReopened: Bool) async throws {
        let size = 24 << 20
        server.handle("GET", "/a") { _ in
            LoopbackReply(steps: [
                .head(status: 200, headers: [Self.fresh, LoopbackHeader("Content-Length", "\(size)")]),
                .pattern(count: size),
            ])
        }
        let destination = folder.url.appending(path: "film")
        _ = try await dispatcher.downloadFuture(from: server.request("/a"), to: destination).value
        let first = try Data(contentsOf: destination)
        #expect(first.count == size)
        var again = dispatcher
        if isReopened {
            await cache.flush()
            let other = HTTPCache(folder: folder.url.appending(path: "cache"))
            again = URLRequestDispatcher(configuration: .ephemeral).cached(in: other)
        }
        let response = try await again.downloadFuture(from: server.request("/a"), to: destination).value
        #expect(response.cacheStatus?.isHit == true)
        #expect(try Data(contentsOf: destination) == first)
        var count = 0
        for try await chunk in try await again.streamFuture(from: server.request("/a")).value.data {
            #expect(chunk == first[count..<count + chunk.count])
            count += chunk.count
        }
        #expect(count == size)
        #expect(server.requestCount(path: "/a") == 1)
    }

    @Test(
        "K5 STALE: if the server closes the connection, a stale response answers unless it must revalidate",
        arguments: [LoopbackReply.close, .reset])
    func closed(fault: LoopbackReply) async throws {
        for directive in ["max-age=0", "max-age=0, must-revalidate"] {
            server.handle("GET", "/a", reply: .text("kept", headers: [LoopbackHeader("Cache-Control", directive)]))
            _ = try await dispatcher.dataFuture(from: server.request("/a")).value
            server.handle("GET", "/a", reply: fault)
            let answer = try? await dispatcher.dataFuture(from: server.request("/a")).value
            #expect(answer?.data == (directive == "max-age=0" ? Data("kept".utf8) : nil))
            #expect(answer?.cacheStatus?.isHit != true)
        }
    }

    @Test("K2 STORE, K9 FIELDS: interim responses are not kept, and neither are their fields", arguments: [102, 103])
    func interim(status: Int) async throws {
        let interim = "HTTP/1.1 \(status) Wait\r\nCache-Control: no-store\r\nX-Foo: a\r\n\r\n"
        server.handle("GET", "/a") { _ in
            var reply = LoopbackReply.text("kept", headers: [Self.fresh])
            reply.steps.insert(.raw(Data(interim.utf8)), at: 0)
            return reply
        }
        for isHit in [false, true] {
            let response = try await dispatcher.dataFuture(from: server.request("/a")).value
            #expect(response.data == Data("kept".utf8))
            #expect(response.cacheStatus?.isHit == isHit)
            #expect(response.head.value(for: "X-Foo") == nil)
        }
    }

    @Test("K9 FIELDS: lines stay apart over a socket, and a computed age replaces theirs")
    func lines() async throws {
        let fields = [("Age", "0"), ("Age", "7200"), ("Set-Cookie", "a=b"), ("Set-Cookie", "c=d")]
        server.handle(
            "GET", "/a", reply: .text("kept", headers: [Self.fresh] + fields.map { LoopbackHeader($0.0, $0.1) }))
        _ = try await dispatcher.dataFuture(from: server.request("/a")).value
        let response = try await dispatcher.dataFuture(from: server.request("/a")).value
        #expect(response.cacheStatus?.isHit == true)
        #expect(response.head.values(for: "Set-Cookie") == ["a=b", "c=d"])
        #expect(response.head.values(for: "Age").count == 1)
    }

    @Test("K6 VALIDATE: a 304 that announces a body has none")
    func announcing304() async throws {
        server.handle("GET", "/a") { request in
            let tag = LoopbackHeader("ETag", "\"a\""), stale = LoopbackHeader("Cache-Control", "max-age=0")
            guard request.header("If-None-Match") == "\"a\"" else { return .text("kept", headers: [tag, stale]) }
            return .response(304, headers: [tag, Self.fresh, LoopbackHeader("Content-Length", "10")])
        }
        for isHit in [false, false, true] {
            let response = try await dispatcher.dataFuture(from: server.request("/a")).value
            #expect(response.data == Data("kept".utf8))
            #expect(response.cacheStatus?.isHit == isHit)
        }
    }

    @Test("K2 STORE: redirects that are not followed are kept", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        server.handle("GET", "/a", reply: .response(status, headers: [Self.fresh, LoopbackHeader("Location", "/b")]))
        let unfollowing = URLRequestDispatcher(configuration: .ephemeral, redirectPolicy: .never).cached(in: cache)
        for isHit in [false, true] {
            let response = try await unfollowing.dataFuture(from: server.request("/a")).value
            #expect(response.head.status == status)
            #expect(response.cacheStatus?.isHit == isHit)
        }
    }
}
