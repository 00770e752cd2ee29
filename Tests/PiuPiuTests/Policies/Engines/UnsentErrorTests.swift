import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Retries of requests that were refused locally", .timeLimit(.minutes(10)))
struct UnsentErrorTests {
    private let clock = SkippingClock()

    @Test("R2 IDEMPOTENT: a POST is sent again after a full line or an open circuit, as no server got it")
    func post() async throws {
        for error in [LineFullError(maximumWaiting: 3), CircuitOpenError(retryAfter: .zero)] as [any Error] {
            let server = scripted(.failure(error), .number(200))
            let future = server.retrying(.fixed(clock)).dataFuture(from: try request("POST"))
            #expect(await future.statusOrError == "200")
            #expect(server.exchanges.count == 2)
        }
    }

    @Test("R2 IDEMPOTENT: a POST isn't sent again after a redirect, as a server got it")
    func redirected() async throws {
        var full = LineFullError(maximumWaiting: 3), open = CircuitOpenError(retryAfter: .zero)
        (full.isAfterRedirect, open.isAfterRedirect) = (true, true)
        for error in [full, open] as [any Error] {
            let server = scripted(.failure(error), .number(200))
            _ = await server.retrying(.fixed(clock)).dataFuture(from: try request("POST")).statusOrError
            #expect(server.exchanges.count == 1)
            #expect(await server.retrying(.fixed(clock)).dataFuture(from: try request("GET")).statusOrError == "200")
        }
    }

    @Test("They are equal whatever came before them, as far as the request and the limit are")
    func equality() throws {
        let url = try url("http://host/a")
        var full = LineFullError(maximumWaiting: 3, url: url), open = CircuitOpenError(retryAfter: .zero, url: url)
        let earlier = [ExchangeAttempt(number: 1, result: .failure(CancellationError()))]
        (full.earlierAttempts, open.earlierAttempts) = (earlier, earlier)
        #expect(full == LineFullError(maximumWaiting: 3, url: url))
        #expect(full != LineFullError(maximumWaiting: 4, url: url) && full != LineFullError(maximumWaiting: 3))
        #expect(open == CircuitOpenError(retryAfter: .zero, url: url))
        #expect(open != CircuitOpenError(retryAfter: .seconds(1), url: url))
        #expect(open != CircuitOpenError(retryAfter: .zero))
    }

    @Test("A redirect marks both errors", arguments: [true, false])
    func marks(isFull: Bool) async throws {
        let error: any Error = isFull ? LineFullError(maximumWaiting: 1) : CircuitOpenError(retryAfter: .zero)
        var course = TransferCourse(try hop("/a", method: "POST"))
        _ = course.launch()
        let head = TransferHead(url: try url("http://host/a"), status: 307, fields: [(name: "Location", value: "/b")])
        _ = course.received(.head(head, request: try hop("/a").urlRequest), of: 1)
        _ = course.received(.finished, of: 1)
        _ = course.launch()
        guard case .end(.failed(let marked), _) = course.received(.failed(error), of: 2) else {
            return #expect(Bool(false))
        }
        #expect((marked as? any UnsentError)?.isUnsent == false)
    }

    @Test("R5: an open circuit's time is the minimum wait; beyond a minute its error is delivered at once")
    func retryAfter() async throws {
        let server = scripted(.failure(CircuitOpenError(retryAfter: .seconds(4))), .number(200))
        #expect(await server.retrying(.fixed(clock)).dataFuture(from: try request("POST")).statusOrError == "200")
        #expect(clock.sleeps == [.milliseconds(4_200)])
        let late = scripted(.failure(CircuitOpenError(retryAfter: .seconds(61))), .number(200))
        _ = await late.retrying(.fixed(clock)).dataFuture(from: try request("GET")).statusOrError
        #expect(late.exchanges.count == 1)
    }

    @Test("A decision can deliver an open circuit's error at once")
    func decision() async throws {
        var policy = RetryPolicy.fixed(clock)
        policy.decision = { _, attempt, isWanted in isWanted && !(attempt.error is CircuitOpenError) }
        let server = scripted(.failure(CircuitOpenError(retryAfter: .zero)), .number(200))
        let future = server.retrying(policy).dataFuture(from: try request("GET"))
        await #expect(throws: CircuitOpenError.self) { _ = try await future.value }
        #expect(server.exchanges.count == 1)
    }
}
