#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    @Suite("Time limits and coded bodies", .timeLimit(.minutes(10)))
    struct CodedSilenceTests {
        static let bodies: [(coding: String, body: Data)] = [
            (coding: "gzip", body: CodedText.gzip), ("zstd", CodedText.zstd),
        ].filter { ContentCoding(rawValue: $0.coding)?.isSupported == true }

        @Test("A server that sends a coded body isn't silent, even if nothing can be decoded yet", arguments: bodies)
        func undecodedPart(of coded: (coding: String, body: Data)) async throws {
            let server = try LoopbackServer.start(), first = LoopbackGate(), second = LoopbackGate()
            let fields = [
                LoopbackHeader("Content-Encoding", coded.coding),
                LoopbackHeader("Content-Length", String(coded.body.count)),
            ]
            // Four bytes are a part of the header of either format.
            server.handle(
                "GET", "/coded",
                reply: LoopbackReply(steps: [
                    .head(status: 200, headers: fields), .gate(first), .body(coded.body.prefix(4)), .gate(second),
                    .body(coded.body.dropFirst(4)),
                ]))
            let engine = try #require(CurlEngine(configuration: .ephemeral))
            let time = TransferTimeTests.ManualTime(), log = Log<TransferEvent>()
            let driver = TransferDriver(engine, timer: time.timer)
            let handle = driver.start(TransferRequest(server.request("/coded", timeout: 600))) { log.append($0) }
            defer { handle.cancel() }
            _ = await log.first { if case .head = $0 { true } else { false } }
            time.advance(seconds: 599)
            first.open()
            try await second.waitForArrivals()
            // The four bytes came before this answer: the thread of the engine has read them by its end.
            let other = Log<TransferEvent>()
            _ = engine.start(TransferRequest(server.request("/text"))) { other.append($0) }
            _ = await other.untilTheEnd()
            time.advance(seconds: 599)
            second.open()
            let events = await log.untilTheEnd()
            let parts = events.compactMap { if case .body(let part) = $0 { part } else { nil } }
            #expect(Data(parts.joined()) == CodedText.text)
            let isUsual = events.allSatisfy { event in
                switch event {
                case .head, .measured, .finished: true
                case .body(let part): !part.isEmpty
                case .sent, .failed: false
                }
            }
            #expect(isUsual, "\(events)")
        }
    }
#endif
