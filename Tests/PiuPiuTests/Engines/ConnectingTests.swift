#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    @Suite("The engine over libcurl: abandoned connections", .timeLimit(.minutes(10)))
    struct ConnectingTests {
        /// A port whose backlog is full: the next connection stays in the connecting state.
        private final class FullPort {
            private let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            private var clients: [Int32] = []
            private var address = sockaddr_in()

            init() throws {
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                try #require(listener >= 0 && call(bind) == 0 && listen(listener, 0) == 0)
                let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
                }
                try #require(isNamed == 0)
                for _ in 0..<4 {
                    clients.append(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0))
                    _ = call(connect, on: clients.last)
                }
            }

            deinit { for descriptor in clients + [listener] { close(descriptor) } }

            var url: URL? { URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") }

            private func call(
                _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, on descriptor: Int32? = nil
            ) -> Int32 {
                withUnsafePointer(to: address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        function(descriptor ?? listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
        }

        @Test("NEVER-HANG: requests are answered after another was cancelled while it connected")
        func cancelledWhileConnecting() async throws {
            let server = try LoopbackServer.start(), port = try FullPort(), engine = makeCurlEngine()
            defer { withExtendedLifetime(port) {} }
            let other = URLRequest(url: try #require(port.url)), events = Log<TransferEvent>()
            for round in 0..<20 {
                let handle = engine.start(TransferRequest(other), onEvent: events.append)
                // The loop takes requests in turn, so the other one has begun to connect.
                _ = try await engine.load(server.url("/text"))
                handle.cancel()
                // The first takes the open connection, and the next ones take the free place.
                let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for _ in 0...round {
                        group.addTask { try await engine.load(server.url("/delay/5")).head.status }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.allSatisfy { $0 == 200 })
            }
        }
    }
#endif
