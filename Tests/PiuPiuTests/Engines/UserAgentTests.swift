#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    @Suite("The User-Agent over libcurl", .timeLimit(.minutes(10)))
    struct UserAgentTests {
        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer.start()
            server.handle("GET", "/a", reply: .text("a"))
        }

        /// What the server got, for a request with these headers.
        private func sent(
            _ headers: [String: String], by configuration: URLSessionConfiguration = .ephemeral
        ) async throws -> [String] {
            var request = server.request("/a")
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            _ = try await URLRequestDispatcher(configuration: configuration).dataFuture(from: request).value
            let fields = try #require(server.requests.last).headers
            return fields.filter { $0.name.lowercased() == "user-agent" }.map(\.value)
        }

        @Test("A request that has none is sent with the process and the library")
        func standard() async throws {
            let library = try #require(CurlEngine.libraryVersion?.split(separator: " ").first)
            for headers in [[:], ["X-Other": "1"], ["Range": "bytes=0-1"]] {
                let agents = try await sent(headers)
                #expect(agents.count == 1 && agents.first?.hasSuffix(" PiuPiu \(library)") == true, "\(agents)")
            }
        }

        @Test("The one of a request is sent instead, even an empty one, and so is that of the configuration")
        func own() async throws {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpAdditionalHeaders = ["User-Agent": "Blog/2.1"]
            #expect(try await sent([:], by: configuration) == ["Blog/2.1"])
            #expect(try await sent(["user-agent": "Screen/1"], by: configuration) == ["Screen/1"])
            #expect(try await sent(["user-agent": "Screen/1"]) == ["Screen/1"])
            #expect(try await sent(["User-Agent": ""]) == [""])
        }

        @Test(
            "What can't be in the name of a product is left out of that of the process",
            arguments: [
                ("Blog", "Blog PiuPiu libcurl/8"), ("My Blog\r\nX: (1)", "MyBlogX1 PiuPiu libcurl/8"),
                ("日本", "PiuPiu libcurl/8"), ("", "PiuPiu libcurl/8"), ("a-b_c.d~e", "a-b_c.d~e PiuPiu libcurl/8"),
            ])
        func text(process: String, expected: String) {
            #expect(UserAgent.text(process: process, library: "libcurl/8") == expected)
        }
    }
#endif
