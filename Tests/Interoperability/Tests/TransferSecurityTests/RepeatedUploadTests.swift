#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// After a break, libcurl sends a request again, and 7.88 forgets what it has read of its body if it has written none of
    /// that.
    @Suite("Uploads that are sent again", .timeLimit(.minutes(10)))
    struct RepeatedUploadTests {
        private static let count = 1_000_000
        private static let whole = "\(count) \(LoopbackDigest.hexadecimal(LoopbackPattern.digest(count: count)))"

        private let authority: LocalAuthority

        init() throws {
            authority = try LocalAuthority()
        }

        private static func chunks(length: Int64?) -> TransferBody {
            let data = LoopbackPattern.data(count: count), step = count / 2
            let parts = AsyncStream { stream in
                for start in stride(from: 0, to: count, by: step) { stream.yield(data[start..<(start + step)]) }
                stream.finish()
            }
            return .chunks(TransferChunks(parts, length: length))
        }

        /// The answer to an upload whose first connection takes none of its body, and breaks; `nil` if that is reported.
        private func answer(to body: TransferBody, _ protocols: [String]) async throws -> String? {
            let dispatcher = URLRequestDispatcher(
                configuration: .ephemeral, security: TransferSecurity(authorities: try only(authority)))
            var options = TLSServer.Options(protocols: protocols)
            options.takesNoBodyAtFirst = true
            var answer: String?
            try await TLSServer.run(try authority.issueHere(), options) { server in
                // libcurl repeats a request only on a connection that it has used before. Chunks of unknown length get
                // one of their own, and are sent once.
                _ = try await dispatcher.text(server.url())
                let request = URLRequest(url: try server.url("/again"), method: .put)
                do {
                    let response = try await dispatcher.uploadFuture(from: request, with: body).value
                    answer = String(decoding: response.data ?? Data(), as: UTF8.self)
                    let isAlone = if case .chunks(let chunks) = body { chunks.length == nil } else { false }
                    #expect(server.paths == ["/connection", "/again"] + (isAlone ? [] : ["/again"]))
                } catch let error as TransferError where error.kind == .connectionLost {}
            }
            return answer
        }

        @Test("HTTP/2: data arrive whole after their stream was refused")
        func refusedData() async throws {
            let data = LoopbackPattern.data(count: Self.count)
            #expect(try await answer(to: .data(data), ["h2"]) == Self.whole)
        }

        @Test("HTTP/1.1: data arrive whole after their connection was reset, or it is lost")
        func resetData() async throws {
            let data = LoopbackPattern.data(count: Self.count)
            #expect([Self.whole, nil].contains(try await answer(to: .data(data), ["http/1.1"])))
        }

        @Test(
            "Chunks, which can be read only once, arrive whole, or the connection is lost",
            arguments: ["h2", "http/1.1"], [nil, Int64(count)])
        func chunks(protocolName: String, length: Int64?) async throws {
            #expect([Self.whole, nil].contains(try await answer(to: Self.chunks(length: length), [protocolName])))
        }
    }
#endif
