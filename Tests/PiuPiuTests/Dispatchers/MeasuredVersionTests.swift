import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine whose heads are those of Foundation, as over `URLSession` on Apple platforms.
@Suite("A version of HTTP that only the measurements show", .timeLimit(.minutes(10)))
struct MeasuredVersionTests {
    private let engine: TransferTimeTests.QuietEngine
    private let driver: TransferDriver

    init() throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        settings.exchangesPerMultiplexedOrigin = 3
        engine = TransferTimeTests.QuietEngine(settings)
        driver = TransferDriver(engine)
        for number in 1...6 {
            _ = driver.start(TransferRequest(URLRequest(url: try url("http://host/\(number)")))) { _ in }
        }
    }

    private func answer(_ hop: Int, version: String?) throws {
        let url = try url("http://host/\(hop + 1)")
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:]))
        engine.tell(.head(TransferHead(response), request: URLRequest(url: url)), hop: hop)
        let metrics = TransferMetrics(total: .zero, bytesSent: 0, bytesReceived: 0, protocolVersion: version)
        engine.tell(.measured(metrics), hop: hop)
        engine.tell(.finished, hop: hop)
    }

    @Test("It raises the limit of a host that multiplexes", arguments: ["HTTP/2", "HTTP/3"])
    func raises(version: String) throws {
        try answer(0, version: version)
        #expect(engine.calls.all == ["start /1", "start /2", "start /3", "start /4"])
    }

    @Test("It takes the higher limit back")
    func lowers() throws {
        try answer(0, version: "HTTP/2")
        try answer(1, version: "HTTP/1.1")
        try answer(2, version: "HTTP/1.1")
        #expect(engine.calls.all.count == 4)
    }

    @Test("Without a version, or over HTTP/1.1, the limit stays", arguments: [nil, "HTTP/1.1"])
    func stays(version: String?) throws {
        try answer(0, version: version)
        #expect(engine.calls.all == ["start /1", "start /2"])
    }
}
