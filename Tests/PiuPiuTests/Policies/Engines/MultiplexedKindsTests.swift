import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

@Suite("Kinds of exchanges with a host that multiplexes", .timeLimit(.minutes(10)))
struct MultiplexedKindsTests {
    private static let kinds = ["small", "large", "stream"]

    private func request(_ kind: String, _ number: Int) throws -> TransferRequest {
        var request = try hop("/\(kind)/\(number)", isLarge: kind == "large")
        request.isStream = kind == "stream"
        return request
    }

    private func started(_ engine: DirectedEngine) -> [Int] {
        Self.kinds.map { kind in engine.paths.filter { $0.hasPrefix("/\(kind)/") }.count }
    }

    @Test(
        "It gets more small exchanges at once, but no more large responses and streams, which take memory unread",
        arguments: [false, true])
    func limits(isDecorated: Bool) async throws {
        var settings = TransferSettings()
        (settings.exchangesPerOrigin, settings.exchangesPerMultiplexedOrigin) = (2, 4)
        let engine = DirectedEngine(settings)
        let top: any TransferEngine = isDecorated ? engine.coalescing() : engine
        let driver = TransferDriver(top)
        for kind in Self.kinds {
            for number in 0..<6 { driver.start(try request(kind, number), EventTrace()) }
        }
        await engine.started(6)
        #expect(started(engine) == [2, 2, 2])
        for (number, path) in engine.paths.enumerated() {
            let head = TransferHead(url: try url("http://host\(path)"), status: 200, version: "HTTP/2")
            engine.tell(number, .head(head, request: try hop(path).urlRequest))
        }
        await engine.started(8)
        #expect(started(engine) == [4, 2, 2])
        for number in 0..<6 { engine.tell(number, .finished) }
        await engine.started(14)
        #expect(started(engine) == [6, 4, 4])
        driver.invalidateAndCancel()
    }
}
