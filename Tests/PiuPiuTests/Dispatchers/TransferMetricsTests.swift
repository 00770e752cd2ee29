import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Metrics of an exchange", .timeLimit(.minutes(10)))
struct TransferMetricsTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test func aConnectionIsMadeOnce() async throws {
        let first = try #require(await dispatcher.dataFuture(from: server.request("/bytes/1000")).value.metrics)
        let second = try #require(await dispatcher.dataFuture(from: server.request("/bytes/1000")).value.metrics)
        #expect(first.isReusedConnection == false)
        #expect(second.isReusedConnection == true)
        let connect = try #require(first.connect), firstByte = try #require(first.firstByte)
        #expect(connect >= .zero)
        #expect(firstByte > .zero && firstByte <= first.total)
        #expect(second.connect == nil && second.nameLookup == nil && second.secureConnection == nil)
        #expect(first.secureConnection == nil)
        #expect(first.protocolVersion == "HTTP/1.1")
    }

    @Test("Bytes are counted as they went over the wire: heads, and coded bodies")
    func bytes() async throws {
        let body = LoopbackPattern.data(count: 100_000)
        var request = server.request("/sink")
        request.httpMethod = "POST"
        let upload = try #require(await dispatcher.uploadFuture(from: request, with: body).value.metrics)
        #expect((100_050...101_000).contains(upload.bytesSent))
        let small = try #require(await dispatcher.uploadFuture(from: request, with: Data("small".utf8)).value.metrics)
        #expect((50...500).contains(small.bytesSent))
        let plain = try #require(await dispatcher.dataFuture(from: server.request("/bytes/100000")).value.metrics)
        #expect((100_050...101_000).contains(plain.bytesReceived))
        #expect((50...500).contains(plain.bytesSent))
        // Ten thousand letters, compressed.
        let coded = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA+3BAQ0AAADCoKzvX8IcbkABAAAAAAAAAADAvwGX1H5GECcAAA=="))
        server.handle(
            "GET", "/coded", reply: .response(headers: [LoopbackHeader("Content-Encoding", "gzip")], body: coded))
        let response = try await dispatcher.dataFuture(from: server.request("/coded")).value
        #expect(response.data?.count == 10_000)
        #expect((100...500).contains(try #require(response.metrics).bytesReceived))
    }

    @Test func theFirstByteIsWaitedFor() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("late").gated(by: gate))
        async let response = dispatcher.dataFuture(from: server.request("/gated")).value
        try await server.waitForRequests(path: "/gated")
        let others = try await ContinuousClock().measure {
            for _ in 0..<20 { _ = try await dispatcher.dataFuture(from: server.request("/bytes/1")).value }
        }
        gate.open()
        let metrics = try #require(await response.metrics)
        #expect(try #require(metrics.firstByte) >= others)
        #expect(metrics.total >= others)
    }

    @Test func downloadsAndStreamsAreMeasured() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let download = try await dispatcher.downloadFuture(from: server.request("/bytes/300000"), to: file).value
        #expect(try #require(download.metrics).bytesReceived > 300_000)
        let stream = try await dispatcher.streamFuture(from: server.request("/bytes/300000")).value
        #expect(stream.metrics == nil)
        for try await _ in stream.data {}
        #expect(try #require(stream.data.metrics).bytesReceived > 300_000)
    }

    @Test("An engine that measures nothing is measured by the dispatcher")
    func standIn() async throws {
        let dispatcher = URLRequestDispatcher(engine: .urlSession(.ephemeral))
        var request = server.request("/sink")
        request.httpMethod = "POST"
        let response = try await dispatcher.uploadFuture(from: request, with: Data(count: 7)).value
        let metrics = try #require(response.metrics)
        #expect(metrics.total > .zero && metrics.firstByte != nil)
        // On Apple platforms the session measures.
        #if canImport(FoundationNetworking)
            #expect(metrics.isReusedConnection == nil)
        #endif
    }

    @Test func whatCameWithoutANetworkHasNone() async throws {
        let response = try await dispatcher.dataFuture(from: URLRequest(url: try url("data:,text"))).value
        #expect(response.metrics == nil)
    }
}
