import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The text log of exchanges", .timeLimit(.minutes(10)))
struct ExchangeLogTests {
    private let lines = EventLog()
    private let clock = SkippingClock()

    private func run(_ detail: ExchangeLog.Detail, _ server: some DataDispatcher, _ request: URLRequest) async {
        let log = ExchangeLog(detail) { lines($0) }
        let start = Date(timeIntervalSince1970: 1_000_000_000)
        let policy = ObservationPolicy(log, clock: clock, now: { start })
        _ = await server.retrying(.fixed(clock)).applying(policy).dataFuture(from: request).statusOrError
    }

    /// The lines without the number of the exchange.
    private var texts: [String] {
        lines.events.map { line in
            line.split(separator: " ").enumerated().filter { $0.offset != 1 }.map(\.element).joined(separator: " ")
        }
    }

    @Test("A line for each event")
    func events() async throws {
        await run(.events, scripted(.number(503), .text("text")), try request("GET"))
        let (begin, later) = ("2001-09-09T01:46:40.000Z", "2001-09-09T01:46:40.500Z")
        let url = "GET https://example.com/posts"
        #expect(
            texts == [
                "\(begin) \(url) started", "\(begin) \(url) head 503",
                "\(begin) \(url) attempt 2 follows after 500.0 ms",
                "\(later) \(url) another attempt", "\(later) \(url) head 200",
                "\(later) \(url) finished 200 in 500.0 ms, 0 bytes sent, 4 received",
            ])
    }

    @Test("A line for each exchange, without secrets and line feeds")
    func exchanges() async throws {
        let secret = try request("GET", "https://example.com/a?token=secret")
        await run(.exchanges, scripted(.broken(.badResponse), .broken(.tooManyRedirects)), secret)
        let date = "2001-09-09T01:46:40.025Z"
        #expect(
            texts == [
                "\(date) GET https://example.com/a?token=<redacted> failed with tooManyRedirects in 25.0 ms, "
                    + "0 bytes sent, 0 received"
            ])
        #expect(lines.events[0].hasPrefix("\(date) #"))
    }

    @Test("Both together say the same of one exchange")
    func both() async throws {
        let dispatcher = scripted(.text("text")).observed(
            by: ExchangeLog(.events) { lines($0) }, ExchangeLog { lines($0) })
        _ = try await dispatcher.dataFuture(from: try request("GET")).value
        #expect(lines.events.count == 4 && lines.events[2] == lines.events[3])
    }
}
