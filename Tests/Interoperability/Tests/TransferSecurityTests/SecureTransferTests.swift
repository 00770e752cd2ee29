import Foundation
import LoopbackServer
import NIOCore
import NIOPosix
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Transfers over TLS", .timeLimit(.minutes(10)))
struct SecureTransferTests {
    private let authority: LocalAuthority

    init() throws {
        authority = try LocalAuthority()
    }

    private func run(
        _ protocols: [String], _ work: (TLSServer, URLRequestDispatcher) async throws -> Void
    ) async throws {
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral, security: TransferSecurity(authorities: try only(authority)))
        try await TLSServer.run(try authority.issueHere(), TLSServer.Options(protocols: protocols)) { server in
            try await work(server, dispatcher)
        }
    }

    @Test("Uploads of every kind arrive whole", arguments: [["http/1.1"], ["h2", "http/1.1"]])
    func uploads(protocols: [String]) async throws {
        try await run(protocols) { server, dispatcher in
            let count = 5_000_000
            let data = LoopbackPattern.data(count: count)
            let file = FileManager.default.temporaryDirectory.appending(path: "SecureTransferTests-\(UUID())")
            try data.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let parts = AsyncStream { stream in
                for start in stride(from: 0, to: count, by: 500_000) { stream.yield(data[start..<(start + 500_000)]) }
                stream.finish()
            }
            for body in [TransferBody.data(data), .file(file), .chunks(TransferChunks(parts))] {
                let request = URLRequest(url: try server.url("/sink"), method: .post)
                let response = try await dispatcher.uploadFuture(from: request, with: body).value
                #expect(
                    String(decoding: response.data ?? Data(), as: UTF8.self)
                        == "\(count) \(LoopbackDigest.hexadecimal(LoopbackPattern.digest(count: count)))")
            }
        }
    }

    @Test("A stream is whole", arguments: [["http/1.1"], ["h2", "http/1.1"]])
    func stream(protocols: [String]) async throws {
        try await run(protocols) { server, dispatcher in
            let request = URLRequest(url: try server.url("/bytes/8000000"))
            var digest = LoopbackDigest()
            for try await chunk in try await dispatcher.streamFuture(from: request).value.data {
                chunk.withUnsafeBytes { digest.update($0) }
            }
            #expect(digest.value == LoopbackPattern.digest(count: 8_000_000))
        }
    }

    @Test("HTTP/2: 100 requests share one connection, and their bodies don't mix")
    func multiplexing() async throws {
        try await run(["h2", "http/1.1"]) { server, dispatcher in
            // Before the first answer nobody knows that the server speaks HTTP/2.
            _ = try await dispatcher.text(server.url())
            try await withThrowingTaskGroup { group in
                for index in 0..<100 {
                    let url = try server.url("/bytes/\(20_000 + index)")
                    group.addTask {
                        let response = try await dispatcher.dataFuture(from: URLRequest(url: url)).value
                        #expect(response.data == LoopbackPattern.data(count: 20_000 + index))
                    }
                }
                try await group.waitForAll()
            }
            let last = try await dispatcher.text(server.url())
            #expect(last.hasPrefix("HTTP/2"))
            #expect(server.connections == 1)
        }
    }

    @Test("Large responses take turns, and each is whole", arguments: [["http/1.1"], ["h2", "http/1.1"]])
    func turns(protocols: [String]) async throws {
        try await run(protocols) { server, dispatcher in
            // With HTTP/2, all of them on one connection.
            _ = try await dispatcher.text(server.url())
            try await withThrowingTaskGroup { group in
                for index in 0..<12 {
                    let count = 3_000_000 + index
                    let url = try server.url("/bytes/\(count)")
                    group.addTask {
                        let response = try await dispatcher.dataFuture(from: URLRequest(url: url)).value
                        #expect(response.data == LoopbackPattern.data(count: count))
                    }
                    group.addTask {
                        var digest = LoopbackDigest()
                        let body = try await dispatcher.streamFuture(from: URLRequest(url: url)).value.data
                        for try await chunk in body { chunk.withUnsafeBytes { digest.update($0) } }
                        #expect(digest.value == LoopbackPattern.digest(count: count))
                    }
                }
                try await group.waitForAll()
            }
            #expect(protocols.count == 1 || server.connections == 1)
        }
    }

    /// On a connection of HTTP/2 libcurl 7.88 loses parts of other responses at the end of such a body.
    @Test("HTTP/2: bodies of unknown length have a connection over HTTP/1.1, and the others go on to share theirs")
    func unknownLength() async throws {
        try await run(["h2", "http/1.1"]) { server, dispatcher in
            _ = try await dispatcher.text(server.url())
            // The connection is in use.
            let large = URLRequest(url: try server.url("/bytes/30000000"))
            let held = try await dispatcher.streamFuture(from: large).value
            for _ in 1...2 {
                let parts = AsyncStream { stream in
                    for _ in 1...3 { stream.yield(Data(count: 100_000)) }
                    stream.finish()
                }
                let request = URLRequest(url: try server.url("/sink"), method: .put)
                let response = try await dispatcher.uploadFuture(from: request, withChunks: parts).value
                #expect(String(decoding: response.data ?? Data(), as: UTF8.self).hasPrefix("300000 "))
                let texts = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 1...20 { group.addTask { try await dispatcher.text(server.url()) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(texts.allSatisfy { $0.hasPrefix("HTTP/2") } && server.connections == 2)
            }
            withExtendedLifetime(held) {}
        }
    }

    @Test("HTTP/2: streams that nobody reads keep no other exchange waiting")
    func heldStreams() async throws {
        try await run(["h2", "http/1.1"]) { server, dispatcher in
            _ = try await dispatcher.text(server.url())
            let large = URLRequest(url: try server.url("/bytes/30000000"))
            let held = try await dispatcher.streamFuture(from: large).value
            let alsoHeld = try await dispatcher.streamFuture(from: large).value
            var count = 0
            for try await chunk in alsoHeld.data {
                count += chunk.count
                let request = URLRequest(url: try server.url("/bytes/300000"))
                let data = try await dispatcher.dataFuture(from: request).value.data
                #expect(data == LoopbackPattern.data(count: 300_000))
                if count > 2_000_000 { break }
            }
            var digest = LoopbackDigest()
            for try await chunk in held.data { chunk.withUnsafeBytes { digest.update($0) } }
            #expect(digest.value == LoopbackPattern.digest(count: 30_000_000))
        }
    }

    @Test("A burst to a new host isn't held up by a host that doesn't answer", arguments: [["http/1.1"], ["h2"]])
    func silentHost(protocols: [String]) async throws {
        try await run(protocols) { server, dispatcher in
            let (accepted, connection) = AsyncStream.makeStream(of: Void.self)
            // It accepts connections, and never shakes hands.
            let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    connection.yield()
                    return channel.eventLoop.makeSucceededVoidFuture()
                }.bind(host: "127.0.0.1", port: 0).get()
            let url = try #require(URL(string: "https://127.0.0.1:\(silent.localAddress?.port ?? 0)/"))
            let endless = URLRequest(url: url, timeoutInterval: 3600)
            let waiting = (0..<6).map { _ in dispatcher.dataFuture(from: endless) }
            for future in waiting { future.send() }
            _ = await accepted.first { true }
            var answers: [Response<Data?>] = []
            // On a busy machine the answers may take longer than the timeout.
            for timeout in [20.0, 80, 320] where answers.isEmpty {
                let request = URLRequest(url: try server.url(), timeoutInterval: timeout)
                let all = ResponseFuture<[Response<Data?>]>(
                    childFutures: (0..<6).map { _ in dispatcher.dataFuture(from: request) })
                do { answers = try await all.value } catch let error as TransferError where error.kind == .timedOut {}
            }
            #expect(answers.count == 6)
            for future in waiting { future.cancel() }
            try await silent.close()
        }
    }

    @Test("HTTP/2: a stream that is reset fails alone, and the connection stays in use")
    func reset() async throws {
        try await run(["h2", "http/1.1"]) { server, dispatcher in
            let first = try await dispatcher.text(server.url())
            let (reset, bytes) = (try server.url("/reset"), try server.url("/bytes/3000000"))
            async let failure = dispatcher.failure(reset)
            async let whole = dispatcher.dataFuture(from: URLRequest(url: bytes)).value.data
            let (kind, data) = try await (failure?.kind, whole)
            #expect(kind == .connectionLost)
            #expect(data == LoopbackPattern.data(count: 3_000_000))
            let last = try await dispatcher.text(server.url())
            #expect(last == first)
            #expect(server.connections == 1)
        }
    }

    @Test("HTTP/2: a connection that is closed before the answer is lost, and nothing is cut off")
    func close() async throws {
        try await run(["h2", "http/1.1"]) { server, dispatcher in
            let failure = await dispatcher.failure(try server.url("/close"))
            #expect(failure?.kind == .connectionLost)
        }
    }

    #if os(Linux)
        /// The curl tool of libcurl 7.88 takes a whole core for as long as it waits.
        @Test("HTTP/2: an upload that waits for the server takes next to no processor time")
        func exhaustedWindow() async throws {
            let security = TransferSecurity(authorities: try only(authority))
            let engine = TimedEngine(try #require(CurlEngine(configuration: .ephemeral, security: security)))
            let dispatcher = URLRequestDispatcher(engine: engine)
            let options = TLSServer.Options(protocols: ["h2", "http/1.1"])
            try await TLSServer.run(try authority.issueHere(), options) { server in
                _ = try await dispatcher.text(server.url())
                let before = engine.secondsByThread
                let data = LoopbackPattern.data(count: 1_000_000)
                let request = URLRequest(url: try server.url("/slow"), method: .post)
                let response = try await dispatcher.uploadFuture(from: request, with: data).value
                let after = engine.secondsByThread
                #expect(
                    String(decoding: response.data ?? Data(), as: UTF8.self)
                        == "1000000 \(LoopbackDigest.hexadecimal(LoopbackPattern.digest(count: 1_000_000)))")
                let thread = try #require(before.keys.first)
                try #require(Set(before.keys) == [thread] && Set(after.keys) == [thread])
                let start = try #require(before[thread]), end = try #require(after[thread])
                #expect(end - start < 0.5)
            }
        }
    #endif

    @Test("HTTP/2: after a GOAWAY the answer still arrives, and the next request gets another connection")
    func goAway() async throws {
        try await run(["h2", "http/1.1"]) { server, dispatcher in
            let first = try await dispatcher.text(server.url())
            let farewell = try await dispatcher.text(server.url("/goaway"))
            #expect(farewell == "goodbye")
            let next = try await dispatcher.text(server.url())
            #expect(next.hasPrefix("HTTP/2") && next != first)
            #expect(server.connections == 2)
        }
    }

    @Test("An IPv6 address in brackets, plain and over TLS")
    func ipv6() async throws {
        let identity = try authority.issue(.address("::1"))
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral, security: TransferSecurity(authorities: try only(authority)))
        for secured in [false, true] {
            try await TLSServer.run(secured ? identity : nil, TLSServer.Options(address: "::1")) { server in
                let url = try server.url(scheme: secured ? "https" : "http", host: "[::1]")
                let text = try await dispatcher.text(url)
                #expect(text.hasPrefix("HTTP/1.1"))
            }
        }
    }
}
