import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: users over a real socket", .timeLimit(.minutes(10)))
struct CacheUsersTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let cache: HTTPCache

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        cache = HTTPCache(folder: folder.url.appending(path: "cache"))
    }

    private func dispatcher(_ partition: CachePartition = .byCredential) -> URLRequestDispatcher {
        URLRequestDispatcher(configuration: .ephemeral).cached(in: cache, partition: partition)
    }

    /// Answers with the value of a header field, and lets caches keep it.
    private func serve(_ path: String, _ field: String, headers: [LoopbackHeader] = []) {
        server.handle("GET", path) { request in
            .text(request.header(field) ?? "none", headers: [LoopbackHeader("Cache-Control", "max-age=3600")] + headers)
        }
    }

    private func text(
        _ path: String, _ fields: [String: String], by dispatcher: some DataDispatcher
    ) async throws -> String? {
        var request = server.request(path)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await dispatcher.dataFuture(from: request).value.data.text
    }

    @Test("K10 STORAGE: each Authorization has responses of its own")
    func authorization() async throws {
        serve("/me", "Authorization")
        let dispatcher = dispatcher()
        for _ in 0..<3 {
            for user in ["Bearer A", "Bearer B"] {
                #expect(try await text("/me", ["Authorization": user], by: dispatcher) == user)
            }
            #expect(try await text("/me", [:], by: dispatcher) == "none")
        }
        #expect(server.requestCount(path: "/me") == 3)
    }

    @Test(
        "K10 STORAGE: each value of a header with a secret has responses of its own",
        arguments: ["X-API-Key", "Private-Token", "X-Gitlab-Token", "X-Amz-Security-Token", "X-Session-ID"])
    func otherCredentials(name: String) async throws {
        serve("/me", name)
        let dispatcher = dispatcher()
        for _ in 0..<3 {
            for user in ["A", "B"] { #expect(try await text("/me", [name: user], by: dispatcher) == user) }
            #expect(try await text("/me", [:], by: dispatcher) == "none")
        }
        #expect(server.requestCount(path: "/me") == 3)
    }

    @Test("K10 STORAGE: each credential of an authenticator has responses of its own, whatever its header is called")
    func authenticators() async throws {
        serve("/me", "X-Honeycomb-Team")
        for _ in 0..<3 {
            for user in ["A", "B"] {
                let session = Authenticator(user, for: server.url("/")) { request, user in
                    request.setValue(user, forHTTPHeaderField: "X-Honeycomb-Team")
                } refresh: {
                    $0
                }
                #expect(try await text("/me", [:], by: dispatcher().authenticated(by: session)) == user)
            }
        }
        #expect(server.requestCount(path: "/me") == 2)
    }

    @Test(
        "K10 STORAGE: a header that names no user, or is another one each time, has no responses of its own",
        arguments: ["Cookie", "DPoP", "X-Page-Token", "User-Agent"])
    func noCredentials(name: String) async throws {
        serve("/me", "Host")
        let dispatcher = dispatcher()
        for user in ["A=1", "B=2"] { _ = try await text("/me", [name: user], by: dispatcher) }
        #expect(server.requestCount(path: "/me") == 1)
    }

    @Test("K1 KEY: each value of a field that Vary names has responses of its own")
    func vary() async throws {
        serve("/me", "X-User", headers: [LoopbackHeader("Vary", "X-User")])
        let dispatcher = dispatcher()
        for _ in 0..<3 {
            for user in ["A", "B"] { #expect(try await text("/me", ["X-User": user], by: dispatcher) == user) }
        }
        #expect(server.requestCount(path: "/me") == 2)
    }

    @Test("K10 STORAGE: each partition has responses of its own, whatever the request")
    func partitions() async throws {
        serve("/me", "X-User")
        let all = ["A", "B"].map { ($0, dispatcher(.named($0))) }
        for _ in 0..<3 {
            for (user, dispatcher) in all {
                #expect(try await text("/me", ["X-User": user], by: dispatcher) == user)
            }
        }
        #expect(server.requestCount(path: "/me") == 2)
    }

    @Test("K10 STORAGE: after a sign-out nothing is left, in memory or on the disk")
    func signOut() async throws {
        serve("/me", "X-User")
        #expect(try await text("/me", ["X-User": "A"], by: dispatcher()) == "A")
        await cache.flush()
        #expect(cache.statistics.diskCount == 1)
        cache.removeAll()
        #expect(try await text("/me", ["X-User": "B"], by: dispatcher()) == "B")
        cache.removeAll()
        await cache.flush()
        #expect(cache.statistics.memoryCount == 0)
        #expect(cache.statistics.diskCount == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "cache").path())
        #expect(names.isEmpty)
    }

    @Test("K6 VALIDATE, K11 STATUS: a 304 of a real server")
    func validated() async throws {
        server.handle("GET", "/a") { request in
            let fields = [LoopbackHeader("Cache-Control", "no-cache"), LoopbackHeader("ETag", "\"1\"")]
            return request.header("If-None-Match") == "\"1\""
                ? .response(304, headers: fields) : .text("kept", headers: fields)
        }
        let dispatcher = dispatcher()
        for count in 1...3 {
            let response = try await dispatcher.dataFuture(from: server.request("/a")).value
            #expect(response.data.text == "kept")
            #expect(response.head.status == 200)
            #expect(response.cacheStatus?.forwardStatus == (count == 1 ? 200 : 304))
        }
        #expect(server.requestCount(path: "/a") == 3)
        #expect(cache.statistics.validations == 2)
    }

    @Test("K9 FIELDS: a stored response sets its cookies once")
    func cookies() async throws {
        server.handle(
            "GET", "/set",
            reply: .text(
                "a",
                headers: [LoopbackHeader("Cache-Control", "max-age=3600"), LoopbackHeader("Set-Cookie", "a=1; Path=/")])
        )
        server.handle(
            "GET", "/other", reply: .text("b", headers: [LoopbackHeader("Set-Cookie", "a=2; Path=/")]))
        server.handle("GET", "/cookie") { .text($0.header("Cookie") ?? "none") }
        let dispatcher = dispatcher()
        _ = try await text("/set", [:], by: dispatcher)
        _ = try await text("/other", [:], by: dispatcher)
        let again = try await dispatcher.dataFuture(from: server.request("/set")).value
        #expect(again.cacheStatus?.isHit == true)
        #expect(again.head.value(for: "Set-Cookie") == "a=1; Path=/")
        #expect(try await text("/cookie", [:], by: dispatcher) == "a=2")
    }

    @Test(
        "K6 VALIDATE, K9 FIELDS: a 304 sets the cookies that it brings, and no older ones", arguments: [false, true],
        ["no-cache", "max-age=0, no-cache=\"set-cookie\""])
    func cookiesOfValidation(bringsOne: Bool, control: String) async throws {
        server.handle("GET", "/set") { request in
            var fields = [LoopbackHeader("Cache-Control", control), LoopbackHeader("ETag", "\"1\"")]
            let isValidation = request.header("If-None-Match") != nil
            if !isValidation { fields.append(LoopbackHeader("Set-Cookie", "a=1; Path=/")) }
            if isValidation, bringsOne { fields.append(LoopbackHeader("Set-Cookie", "a=3; Path=/")) }
            return isValidation ? .response(304, headers: fields) : .text("kept", headers: fields)
        }
        server.handle(
            "GET", "/other", reply: .text("b", headers: [LoopbackHeader("Set-Cookie", "a=2; Path=/")]))
        server.handle("GET", "/cookie") { .text($0.header("Cookie") ?? "none") }
        let dispatcher = dispatcher()
        _ = try await text("/set", [:], by: dispatcher)
        _ = try await text("/other", [:], by: dispatcher)
        let again = try await dispatcher.dataFuture(from: server.request("/set")).value
        #expect(again.cacheStatus?.forwardStatus == 304)
        if bringsOne { #expect(again.head.value(for: "Set-Cookie") == "a=3; Path=/") }
        #expect(try await text("/cookie", [:], by: dispatcher) == (bringsOne ? "a=3" : "a=2"))
    }
}
