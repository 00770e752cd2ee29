import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The decisions of an exchange", .timeLimit(.minutes(10)))
struct ExchangeStateTests {
    private func request(_ text: String = "http://host/a", body: Data? = nil) throws -> URLRequest {
        var request = URLRequest(url: try url(text))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = body
        }
        return request
    }

    private func response(_ status: Int, headers: [String: String] = [:]) throws -> HTTPURLResponse {
        try #require(
            HTTPURLResponse(
                url: try url("http://host/a"), statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    private func running(_ request: URLRequest) throws -> ExchangeState {
        var state = ExchangeState(TransferRequest(request))
        let launch = state.launch()
        let attempt = try #require(launch?.attempt)
        check(state.launched(attempt), .running)
        return state
    }

    @Test func anExchangeRunsToItsEnd() throws {
        var state = try running(request())
        check(state.received(try response(200))?.name, "head")
        check(state.received(Data("x".utf8))?.name, "body")
        check(state.completed(nil, error: nil).name, "end finished")
        check(state.interrupt(), .ignored)
    }

    @Test func interimHeadsAreSkipped() throws {
        var state = try running(request())
        check(state.received(try response(100))?.name, nil)
        check(state.received(try response(103))?.name, nil)
        check(state.received(try response(200))?.name, "head")
    }

    @Test func anInterruptionBeforeTheTaskNeedsNoStop() throws {
        var state = ExchangeState(TransferRequest(try request()))
        check(state.interrupt(), .settle)
        check(state.interrupt(), .ignored)
        check(state.launch()?.attempt, nil)
    }

    @Test func anInterruptionWhileTheTaskIsMadeStopsItAfterwards() throws {
        var state = ExchangeState(TransferRequest(try request()))
        let launch = state.launch()
        let attempt = try #require(launch?.attempt)
        check(state.interrupt(), .settle)
        check(state.launched(attempt), .stop)
        check(state.completed(nil, error: URLError(.cancelled)).name, "ignored")
    }

    @Test func aTaskThatIsOverBeforeItIsKnownIsNotKept() throws {
        var state = ExchangeState(TransferRequest(try request()))
        let launch = state.launch()
        let attempt = try #require(launch?.attempt)
        check(state.completed(try response(204), error: nil).name, "end head finished")
        check(state.launched(attempt), .over)
    }

    @Test("UPDATES: a part that the session tells twice was sent once")
    func partsAreToldOnce() throws {
        var state = try running(request())
        check(state.sent(1, of: 3)?.name, "sent")
        check(state.sent(1, of: 3)?.name, nil)
        check(state.sent(3, of: 3)?.name, "sent")
    }

    @Test func nothingIsToldAfterAnInterruption() throws {
        var state = try running(request())
        check(state.interrupt(), .settleAndStop)
        check(state.received(try response(200))?.name, nil)
        check(state.received(Data("x".utf8))?.name, nil)
        check(state.sent(1, of: 2)?.name, nil)
        check(state.redirected(by: try response(302), to: try request()).name, "silence")
        check(state.completed(nil, error: nil).name, "ignored")
    }

    @Test func aCancelOfTheSessionIsACancellation() throws {
        var state = try running(request())
        guard case .end(_, .failed(let error)) = state.completed(nil, error: URLError(.cancelled)) else {
            return #expect(Bool(false))
        }
        #expect(error is CancellationError)
    }

    @Test func aCancelledChallengeIsASuccess() throws {
        var state = try running(request())
        state.challenged()
        check(state.completed(try response(401), error: URLError(.cancelled)).name, "end head finished")
    }

    @Test func aFailureAfterAChallengeStaysOne() throws {
        var state = try running(request())
        state.challenged()
        check(state.completed(nil, error: URLError(.timedOut)).name, "end failed")
    }

    @Test func noResponseIsAFailure() throws {
        var state = try running(request())
        check(state.completed(nil, error: nil).kind, .badResponse)
    }

    @Test func aRedirectIsFollowedUpToTheLimit() throws {
        var state = try running(request())
        for hop in 1...ExchangeState.redirectLimit {
            let answer = state.redirected(by: try response(302), to: try request("http://host/\(hop)"))
            #expect(answer.name == "follow")
        }
        #expect(state.request.urlRequest.url?.path() == "/20")
        check(state.redirected(by: try response(302), to: try request("http://host/21")).name, "stay")
        check(state.received(try response(302))?.name, nil)
        check(state.completed(try response(302), error: nil).kind, .tooManyRedirects)
    }

    @Test func aRedirectWithTheBodyGetsATaskOfItsOwn() throws {
        var state = try running(request(body: Data("body".utf8)))
        check(state.redirected(by: try response(307), to: try request("http://host/b")).name, "stay")
        check(state.received(try response(307))?.name, nil)
        check(state.received(Data("moved".utf8))?.name, nil)
        check(state.completed(try response(307), error: nil).name, "relaunch")
        let launch = state.launch()
        let second = try #require(launch)
        #expect(second.request.urlRequest.url?.path() == "/b")
        #expect(second.request.urlRequest.httpMethod == "POST")
        guard case .data(Data("body".utf8)) = second.request.body else { return #expect(Bool(false)) }
        // What the first launch still has to say is about a task that is over.
        check(state.launched(second.attempt - 1), .over)
        check(state.launched(second.attempt), .running)
    }

    @Test func anInterruptionBetweenTwoTasksIsNoticed() throws {
        var state = try running(request(body: Data("body".utf8)))
        _ = state.redirected(by: try response(308), to: try request("http://host/b"))
        check(state.completed(nil, error: nil).name, "relaunch")
        check(state.interrupt(), .settle)
        check(state.launch()?.attempt, nil)
    }

    @Test func aRedirectToAnotherSchemeIsRefused() throws {
        var state = try running(request())
        check(state.redirected(by: try response(302), to: try request("file:///etc/passwd")).name, "stay")
        check(state.completed(try response(302), error: nil).kind, .unsupportedURL)
    }

    @Test(
        "A body shorter than announced is noticed where it can be",
        arguments: [
            (200, ["Content-Length": "5"], "GET", true), (200, [:], "GET", false),
            (200, ["Content-Length": "3"], "GET", false), (204, ["Content-Length": "5"], "GET", false),
            (304, ["Content-Length": "5"], "GET", false), (200, ["Content-Length": "5"], "HEAD", false),
            (200, ["Content-Length": "5", "Content-Encoding": "gzip"], "GET", false),
            (200, ["Content-Length": "5", "Content-Encoding": "identity"], "GET", true),
            (200, ["Content-Length": "2"], "GET", false),
        ])
    func truncation(status: Int, headers: [String: String], method: String, isNoticed: Bool) throws {
        var request = try request()
        request.httpMethod = method
        var state = try running(request)
        _ = state.received(try response(status, headers: headers))
        if method != "HEAD" { _ = state.received(Data("abc".utf8)) }
        check(state.completed(nil, error: nil).kind, (isNoticed ? .truncated : nil))
    }

    @Test(
        "A coded body of which too little has come out is no success",
        arguments: [(0, 1024, false), (0, 1025, true), (50_000, 51_524, false), (50_000, 51_525, true)])
    func lostInDecoding(decoded: Int, announced: Int, isNoticed: Bool) throws {
        var state = try running(request())
        let headers = ["Content-Length": "\(announced)", "Content-Encoding": "gzip"]
        _ = state.received(try response(200, headers: headers))
        _ = state.received(Data(count: decoded))
        check(state.completed(nil, error: nil).kind, (isNoticed ? .badResponse : nil))
    }

    /// Every sequence of five things that can happen to a task, each followed by its end: one outcome, and silence
    /// after it.
    @Test func thereIsExactlyOneOutcomeInAnyOrder() throws {
        let ok = try response(200)
        let found = try response(302)
        let proposed = try request("http://host/b")
        let chunk = Data("x".utf8)
        let steps: [(inout ExchangeState) -> Bool] = [
            { $0.interrupt() != .ignored },
            { state in
                if case .end = state.completed(ok, error: nil) { return true }
                return false
            },
            { state in
                if let launch = state.launch() { _ = state.launched(launch.attempt) }
                return false
            },
            { state in
                _ = state.received(ok)
                return false
            },
            { state in
                _ = state.received(chunk)
                return false
            },
            { state in
                _ = state.redirected(by: found, to: proposed)
                return false
            },
        ]
        for sequence in 0..<7776 {
            var state = ExchangeState(TransferRequest(try request(body: sequence % 2 == 0 ? nil : chunk)))
            var outcomes = 0
            var rest = sequence
            for _ in 0..<5 {
                if steps[rest % 6](&state) { outcomes += 1 }
                if outcomes > 0 { check(state.received(ok)?.name ?? state.received(chunk)?.name, nil) }
                rest /= 6
            }
            if steps[0](&state) { outcomes += 1 }
            #expect(outcomes == 1, "sequence \(sequence)")
        }
    }
}

extension TransferEvent {
    fileprivate var name: String {
        switch self {
        case .sent: "sent"
        case .head: "head"
        case .body: "body"
        case .finished: "finished"
        case .failed: "failed"
        }
    }
}

extension ExchangeState.RedirectAnswer {
    fileprivate var name: String {
        switch self {
        case .follow: "follow"
        case .stay: "stay"
        case .silence: "silence"
        }
    }
}

extension ExchangeState.Completion {
    fileprivate var name: String {
        switch self {
        case .ignored: "ignored"
        case .relaunch: "relaunch"
        case .end(let head, let last):
            (["end", head?.name, last.name] as [String?]).compactMap(\.self).joined(separator: " ")
        }
    }

    /// The kind of the failure, if it is a transfer error.
    fileprivate var kind: TransferError.Kind? {
        guard case .end(_, .failed(let error)) = self else { return nil }
        return (error as? TransferError)?.kind
    }
}
