import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The timeout of an engine's settings", .timeLimit(.minutes(10)))
struct EngineTimeoutTests {
    @Test("It is a whole number of seconds, or the default, with headers for all requests or without")
    func normalized() throws {
        let fields = [[:], ["X-A": "a"]] as [[String: String]]
        for (timeout, seconds) in [(0.5, 1), (2.5, 3), (0, 60), (-1, 60), (.nan, 60)] as [(TimeInterval, UInt64)] {
            for headers in fields {
                var settings = TransferSettings()
                (settings.timeout, settings.additionalHeaders) = (timeout, headers)
                let time = TransferTimeTests.ManualTime(), engine = TransferTimeTests.QuietEngine(settings)
                let driver = TransferDriver(engine, timer: time.timer)
                let request = URLRequest(url: try url("http://host/a"))
                _ = driver.start(TransferRequest(request)) { _ in }
                #expect(time.alarms == [seconds * 1_000_000_000], "\(timeout), \(headers)")
            }
        }
    }
}
