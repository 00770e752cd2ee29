#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// The first connection of the server answers nothing more, and its system confirms what is sent: so does a proxy whose
    /// server has stopped.
    @Suite("Connections of HTTP/2 on which nothing comes any more", .timeLimit(.minutes(10)))
    struct SilentConnectionTests {
        /// Longer than a request needs to be sent, even on a busy machine.
        private static let patience = 4

        private let authority: LocalAuthority
        private let dispatcher: URLRequestDispatcher

        init() throws {
            authority = try LocalAuthority()
            dispatcher = URLRequestDispatcher(
                configuration: .ephemeral, security: TransferSecurity(authorities: try only(authority)))
        }

        private func withServer(_ work: (TLSServer) async throws -> Void) async throws {
            try await TLSServer.run(try authority.issueHere(), TLSServer.Options(protocols: ["h2"])) { server in
                _ = try await dispatcher.text(server.url())
                try await work(server)
            }
        }

        private func request(_ url: URL, timeout: Int = patience) -> URLRequest {
            var request = URLRequest(url: url)
            request.timeoutInterval = TimeInterval(timeout)
            return request
        }

        @Test("The next request takes a new connection after a timeout and after a deadline", arguments: [true, false])
        func next(timesOut: Bool) async throws {
            try await withServer { server in
                if timesOut {
                    let first = dispatcher.dataFuture(from: request(try server.url("/held/1")))
                    let error = await #expect(throws: TransferError.self) { try await first.value }
                    #expect(error?.kind == .timedOut)
                } else {
                    let limited = dispatcher.deadline(.seconds(Self.patience))
                    let first = limited.dataFuture(from: request(try server.url("/held/1"), timeout: 3_600))
                    await #expect(throws: DeadlineExceeded.self) { try await first.value }
                }
                #expect(try await dispatcher.text(server.url("/held/2")) == "late")
                #expect(server.connections == 2)
                // The old one is gone, so that no further request meets it.
                #expect(try await dispatcher.text(server.url("/held/3")) == "late")
                #expect(server.connections == 2)
            }
        }

        @Test("A request that others overlap takes a new connection, too, and leaves theirs alone")
        func overlapping() async throws {
            try await withServer { server in
                let long = dispatcher.dataFuture(from: request(try server.url("/held/long"), timeout: 3_600))
                long.send()
                let first = dispatcher.dataFuture(from: request(try server.url("/held/1")))
                await #expect(throws: TransferError.self) { try await first.value }
                for number in 2...4 { #expect(try await dispatcher.text(server.url("/held/\(number)")) == "late") }
                #expect(long.status == .started)
                long.cancel()
                #expect(server.connections >= 2)
            }
        }

        @Test("A retry is answered on a new connection")
        func retried() async throws {
            try await withServer { server in
                let retrying = dispatcher.retrying()
                let response = try await retrying.dataFuture(from: request(try server.url("/held/1"))).value
                #expect(response.data == Data("late".utf8) && response.earlierAttempts.count == 1)
            }
        }

        @Test("A connection on which others are answered is kept after a timeout")
        func busy() async throws {
            try await withServer { server in
                let first = dispatcher.dataFuture(from: request(try server.url("/held/1")))
                let task = Task { try await first.value }, pacer = try LoopbackServer.start()
                while first.status != .error {
                    _ = try await dispatcher.text(server.url())
                    // The server takes thousands in a row for an attack.
                    _ = try await dispatcher.dataFuture(from: pacer.request("/delay/100")).value
                }
                await #expect(throws: TransferError.self) { try await task.value }
                _ = try await dispatcher.text(server.url())
                #expect(server.connections == 1)
            }
        }
    }
#endif
