import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code of "Poll until a job is done" in Recipes.md.
@Suite("Recipes for polling", .timeLimit(.minutes(10)))
struct PollingRecipeTests {
    private struct Report: Codable, Sendable {
        let title: String
    }

    private struct Job: Codable, Sendable {
        let isDone: Bool
    }

    private func report(
        of job: URLRequest, over network: some DataDispatcher, by clock: any Clock<Duration>
    ) -> ResponseFuture<Response<Report>> {
        var polling = RetryPolicy(clock: clock)
        polling.decision = { _, attempt, isWanted in isWanted || attempt.statusCode == .accepted }
        polling.maximumAttempts = 100
        polling.baseDelay = .seconds(2)
        polling.maximumDelay = .seconds(5)
        polling.budget = nil
        return network.retrying(polling).deadline(.seconds(300))
            .dataFuture(from: job)
            .validated([.ok])
            .decoded(Report.self)
    }

    private func finished(
        _ job: URLRequest, over dispatcher: some DataDispatcher, by clock: some Clock<Duration>
    ) -> ResponseFuture<Job> {
        ResponseFuture<Job> {
            while true {
                let response = try await dispatcher.dataFuture(from: job).validated().decoded(Job.self).value
                if response.data.isDone { return response.data }
                try await clock.sleep(for: max(response.retryAfter ?? .seconds(2), .seconds(1)))
            }
        }
        .timeout(.seconds(300), clock: clock)
    }

    @Test("A 202 is asked again, after the server's time or a random one, and so is a failure")
    func accepted() async throws {
        let clock = SkippingClock()
        let server = scripted(
            .number(202), .number(202, headers: ["Retry-After": "7"]), .number(503), .number(202),
            .json(Report(title: "done")))
        let report = try await report(of: request("GET"), over: server, by: clock).value
        #expect(report.data.title == "done" && report.earlierAttempts.count == 4)
        let sleeps = clock.sleeps
        try #require(sleeps.count == 4)
        #expect(sleeps[0] < .seconds(2) && sleeps[3] < .seconds(5))
        #expect(sleeps[1] >= .seconds(7) && sleeps[1] < .seconds(8))
    }

    @Test("The last 202 is the error, beyond any budget")
    func limit() async throws {
        let clock = SkippingClock(), server = scripted(.number(202))
        let error = await #expect(throws: UnacceptableStatusError.self) {
            try await report(of: request("GET"), over: server, by: clock).value
        }
        #expect(error?.statusCode == .accepted && server.exchanges.count == 100)
    }

    @Test("A server that asks for more than a minute ends the polling")
    func patience() async throws {
        let clock = SkippingClock(), server = scripted(.number(202, headers: ["Retry-After": "61"]))
        let error = await #expect(throws: UnacceptableStatusError.self) {
            try await report(of: request("GET"), over: server, by: clock).value
        }
        #expect(error?.retryAfter == .seconds(61) && server.exchanges.count == 1)
    }

    @Test("A cancellation ends the polling while it waits")
    func cancellation() async throws {
        let clock = ManualClock(), server = scripted(.number(202))
        let future = report(of: try request("GET"), over: server, by: clock)
        let polling = Task { try await future.value }
        await clock.sleepers()
        polling.cancel()
        await #expect(throws: CancellationError.self) { try await polling.value }
        await clock.noSleepers()
        #expect(server.exchanges.count == 1)
    }

    @Test("A loop over the body waits for two seconds, or as long as the server asks, and at least one")
    func loop() async throws {
        let clock = ManualClock()
        let server = RecordingDispatcher(
            MockRouteTable(
                script: MockScript([
                    .json(Job(isDone: false)), .json(Job(isDone: false), headers: ["Retry-After": "9"]),
                    .json(Job(isDone: false), headers: ["Retry-After": "0"]), .json(Job(isDone: true)),
                ])))
        let future = finished(try request("GET"), over: server, by: clock)
        let polling = Task { try await future.value }
        for (now, wait) in [(0, 2), (2, 9), (11, 1)] {
            await clock.sleepers(until: [.seconds(now + wait), .seconds(300)])
            clock.advance(by: .seconds(wait))
        }
        #expect(try await polling.value.isDone && server.exchanges.count == 4)
    }

    @Test("The loop ends with its time limit, and sends nothing afterwards")
    func loopLimit() async throws {
        let clock = ManualClock(), server = scripted(.json(Job(isDone: false), headers: ["Retry-After": "400"]))
        let future = finished(try request("GET"), over: server, by: clock)
        let polling = Task { try await future.value }
        await clock.sleepers(until: [.seconds(300), .seconds(400)])
        clock.advance(by: .seconds(300))
        await #expect(throws: FutureError.self) { try await polling.value }
        await clock.noSleepers()
        #expect(server.exchanges.count == 1)
    }
}
