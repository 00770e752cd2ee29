import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Cookies: limits", .timeLimit(.minutes(10)))
struct CookieLimitTests {
    @Test("A cookie whose name and value have more than 4096 bytes is ignored (RFC 6265bis, 5.6)")
    func largeCookies() {
        let value = String(repeating: "é", count: 2047)
        #expect(SetCookie("ab=\(value); Path=/")?.value == value)
        #expect(SetCookie("abc=\(value)") == nil)
    }

    #if canImport(FoundationNetworking)
        /// The cookies that are kept after a response of 127.0.0.1 with these; by name, with values.
        private func kept(_ cookies: [String], from path: String = "/") async throws -> [String] {
            let server = try LoopbackServer.start(), configuration = URLSessionConfiguration.ephemeral
            server.handle("GET", path, reply: .text("a", headers: cookies.map { LoopbackHeader("Set-Cookie", $0) }))
            _ = try await makeStandardEngine(configuration).load(server.url(path))
            return (configuration.httpCookieStorage?.cookies ?? []).map { "\($0.name)=\($0.value)" }.sorted()
        }

        @Test("Of the cookies of one response the last 180 of a domain are kept")
        func manyCookies() async throws {
            let lines = (0..<2_000).map { "c\($0)=\($0); Path=/; Max-Age=1000" }
            let names = (1_820..<2_000).map { "c\($0)=\($0)" }.sorted()
            #expect(try await kept(lines) == names)
            #expect(try await kept(lines + ["c1999=; Path=/; Max-Age=0"]).count == 179)
            // The last one of a name counts, in the place of the first.
            #expect(try await kept((0..<2_000).map { "c=\($0)" } + ["d=1"]) == ["c=1999", "d=1"])
        }
    #endif
}
