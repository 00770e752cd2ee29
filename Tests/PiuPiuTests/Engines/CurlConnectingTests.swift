#if canImport(Glibc)
    import Foundation
    import FoundationNetworking
    import Glibc
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("How libcurl connects", .timeLimit(.minutes(10)))
    struct CurlConnectingTests {
        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer.start()
        }

        /// How long, in milliseconds, the connections of this process to the server may leave data unconfirmed.
        private func patience() -> [Int32] {
            (0..<4_096 as Range<Int32>).compactMap { descriptor in
                var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
                }
                guard isConnected == 0, Int(in_port_t(bigEndian: address.sin_port)) == server.port else { return nil }
                var milliseconds: Int32 = 0, size = socklen_t(MemoryLayout<Int32>.size)
                guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, &size) == 0 else {
                    return nil
                }
                return milliseconds
            }
        }

        @Test(
            "A connection whose network is lost without a word ends, no earlier than a request of it",
            arguments: [(30, 60_000), (90, 90_000), (600, 600_000), (1e9, 900_000)] as [(TimeInterval, Int32)])
        func patience(timeout: TimeInterval, expected: Int32) async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral))
            await exchange(timeout, on: engine)
            #expect(patience() == [expected])
        }

        @Test("A connection is as patient as the most patient request to its origin")
        func patienceOfOthers() async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral))
            server.handle("GET", "/closing", reply: .text("text").closing())
            let other = try LoopbackServer.start()
            await exchange(600, on: engine, of: other)
            for timeout in [300, 30] as [TimeInterval] { await exchange(timeout, on: engine, "/closing") }
            await exchange(31, on: engine)
            #expect(patience() == [300_000])
        }

        @Test(
            "C4 NEUTRAL: nor is it more patient for a shared request, which has no timeout of its own",
            arguments: [(32, 60_000), (90, 90_000)] as [(TimeInterval, Int32)])
        func patienceOfShared(timeout: TimeInterval, expected: Int32) async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral)).coalescing()
            await exchange(timeout, on: engine)
            #expect(patience() == [expected])
        }

        private func exchange(
            _ timeout: TimeInterval, on engine: any TransferEngine, _ path: String = "/bytes/100",
            of other: LoopbackServer? = nil
        ) async {
            let events = Log<TransferEvent>()
            var request = (other ?? server).request(path)
            request.timeoutInterval = timeout
            _ = engine.start(TransferRequest(request)) { events.append($0) }
            _ = await events.untilTheEnd()
        }
    }
#endif
