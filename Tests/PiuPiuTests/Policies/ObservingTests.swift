import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A third party's dispatcher, which reports no events.
private struct Silent: DataDispatcher {
    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture {
            Response.makeMockResponse(with: urlRequest, data: Data("text".utf8), statusCode: .ok)
        }
    }
}

private enum Surroundings {
    @TaskLocal static var name = ""
}

@Suite("Observing", .timeLimit(.minutes(10)))
struct ObservingTests {
    private let observed = ObservedEvents()
    private let clock = SkippingClock()

    @Test("O1 ONE: a start and an end for each kind of exchange", arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder(), get = try request("GET")
        let dispatcher = scripted(.text("text"), .number(404), .broken(.timedOut)).observed(by: observed)
        #expect(try await kind.text(of: get, by: dispatcher, in: folder).value == "text")
        await observed.ended()
        _ = try? await kind.text(of: get, by: dispatcher, in: folder).value
        await observed.ended(2)
        await #expect(throws: TransferError.self) { try await kind.text(of: get, by: dispatcher, in: folder).value }
        await observed.ended(3)
        #expect(
            observed.wordsByExchange == [
                success, ["started", "head 404", "finished 404"], ["started", "failed with timedOut"],
            ])
        #expect(observed.summaries.map(\.bytesReceived) == [4, 0, 0])
        #expect(observed.summaries.map(\.bytesSent) == (kind == .upload ? [4, 4, 0] : [0, 0, 0]))
        #expect(observed.summaries.map(\.statusCode) == [.ok, .notFound, nil])
        #expect((observed.summaries.last?.error as? TransferError)?.kind == .timedOut)
        observed.check()
    }

    @Test("O1 ONE: a future that isn't started, or is cancelled before, has no events")
    func cold() async throws {
        let get = try request("GET"), dispatcher = scripted(.text("text")).observed(by: observed)
        _ = dispatcher.dataFuture(from: get)
        let cancelled = dispatcher.dataFuture(from: get)
        cancelled.cancel()
        #expect(await cancelled.statusOrError == "cancelled")
        _ = try await dispatcher.dataFuture(from: get).value
        #expect(observed.words == success)
    }

    @Test("O1 ONE: a cancellation is an end, in an attempt and in a wait", arguments: [true, false])
    func cancellation(inWait: Bool) async throws {
        let gate = Gate(), clock = ManualClock()
        let slow = MockAnswer { _, _ in
            try await gate.passUnlessCancelled()
            throw CancellationError()
        }
        let dispatcher = scripted(inWait ? .number(503) : slow).retrying(.fixed(clock)).observed(by: observed)
        let future = dispatcher.dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrError }
        if inWait { await clock.sleepers() } else { await gate.reached() }
        task.cancel()
        #expect(await task.value == "cancelled")
        let words = await observed.ended()
        #expect(words == ["started"] + (inWait ? ["head 503", "retrying 2"] : []) + ["cancelled"])
        observed.check()
    }

    @Test("Inside a hedge, an attempt has the number of the retry around it")
    func attemptsOfHedges() async throws {
        let inside = ObservedEvents(), get = try request("GET")
        let server = scripted(.number(503), .text("text")).observed(by: inside)
        _ = try await server.hedged(.test(ManualClock())).retrying(.fixed(clock)).dataFuture(from: get).value
        #expect(inside.events.map(\.attempt) == [1, 1, 1, 2, 2, 2])
        let alone = scripted(.text("text")).observed(by: observed).hedged(.test(ManualClock()))
        _ = try await alone.dataFuture(from: get).value
        #expect(observed.events.map(\.attempt) == [1, 1, 1])
    }

    @Test("A retry inside an authenticator counts from 1 again after a refresh")
    func attemptsAfterRefresh() async throws {
        let server = scripted(.number(503), .number(401), .number(503), .text("text")), get = try request("GET")
        let dispatcher = server.retrying(.fixed(clock)).authenticated(by: try keys(1)).observed(by: observed)
        _ = try await dispatcher.dataFuture(from: get).value
        let retry = ["head 503", "retrying 2", "restarted"]
        var words = ["started"] + retry
        words += ["head 401", "refreshed"]
        words += retry
        words += ["head 200", "finished 200"]
        #expect(observed.words == words)
        #expect(observed.events.map(\.attempt) == [1, 1, 1, 2, 2, 2, 1, 1, 2, 2, 2])
    }

    @Test("A retry in each copy of a hedge counts its own attempts")
    func attemptsOfCopies() async throws {
        let server = AnsweringServer(), delay = ManualClock(), get = try request("GET")
        let dispatcher = server.dispatcher.retrying(.fixed(clock)).hedged(.test(delay)).observed(by: observed)
        let task = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await delay.sleepers()
        delay.advance(by: .seconds(1))
        await server.sent.wait(for: 2)
        server.answer(1, .status(503))
        await server.sent.wait(for: 3)
        server.answer(2, .status(503))
        await server.sent.wait(for: 4)
        server.answer(4, .status(200))
        #expect(await task.value == "200")
        await observed.ended()
        #expect(observed.events.filter { $0.word == "restarted" }.map(\.attempt) == [2, 2])
    }

    @Test("An observer outside a retry sees the retry; inside, each attempt is an exchange")
    func retries() async throws {
        let inside = ObservedEvents(), get = try request("GET")
        let server = scripted(.number(503), .broken(.timedOut), .text("text"))
        let dispatcher = server.observed(by: inside).retrying(.fixed(clock)).observed(by: observed)
        _ = try await dispatcher.dataFuture(from: get).value
        #expect(
            observed.words == [
                "started", "head 503", "retrying 2", "restarted", "retrying 3", "restarted", "head 200", "finished 200",
            ])
        #expect(observed.events.map(\.attempt) == [1, 1, 1, 2, 2, 3, 3, 3])
        #expect(
            inside.wordsByExchange == [
                ["started", "head 503", "finished 503"], ["started", "failed with timedOut"], success,
            ])
        #expect(inside.events.map(\.attempt) == [1, 1, 1, 2, 2, 3, 3, 3])
        observed.check()
        inside.check()
        let delays = observed.events.compactMap { event -> Duration? in
            if case .retrying(_, let delay) = event.step { delay } else { nil }
        }
        #expect(delays == clock.sleeps && delays.count == 2)
    }

    @Test("Nested observers have events of their own, and both see what happens inside")
    func nested() async throws {
        let inside = ObservedEvents(), get = try request("GET"), server = scripted(.number(500), .text("text"))
        let dispatcher = server.retrying(.fixed(clock)).observed(by: inside).observed(by: observed)
        _ = try await dispatcher.dataFuture(from: get).value
        let words = ["started", "head 500", "retrying 2", "restarted", "head 200", "finished 200"]
        #expect(observed.words == words && inside.words == words)
        #expect(Set(observed.events.map(\.id)).isDisjoint(with: inside.events.map(\.id)))
    }

    @Test("Several observers get each event in their order")
    func several() async throws {
        let log = EventLog()
        let dispatcher = scripted(.text("text")).observed(
            by: .closure { log("a \($0.word)") }, .closure { log("b \($0.word)") })
        _ = try await dispatcher.dataFuture(from: try request("GET")).value
        #expect(log.events == success.flatMap { ["a \($0)", "b \($0)"] })
    }

    @Test("The observers of a list get each event in their order; an empty list observes nothing")
    func list() async throws {
        let log = EventLog(), ids = EventLog(), get = try request("GET")
        let server = scripted(
            MockAnswer { request, _ in
                ids(ExchangeID.current == nil ? "none" : "one")
                return Response.makeMockResponse(with: request, data: Data("text".utf8), statusCode: .ok)
            })
        let observers: [any ExchangeObserver] = [.closure { log("a \($0.word)") }, .closure { log("b \($0.word)") }]
        let policy = ObservationPolicy(observers, clock: clock)
        _ = try await server.applying(policy).dataFuture(from: get).value
        #expect(log.events == success.flatMap { ["a \($0)", "b \($0)"] })
        let unobserved = try await server.applying(ObservationPolicy([])).dataFuture(from: get).value
        #expect(unobserved.data.text == "text" && ids.events == ["one", "none"])
    }

    @Test("Other requests sent on the way don't belong to the exchange")
    func otherRequests() async throws {
        let token = scripted(.number(503), .text("token")).retrying(.fixed(clock)), get = try request("GET")
        let other = try request("GET", "https://example.com/token")
        let server = scripted(
            MockAnswer { request, _ in
                _ = try await token.dataFuture(from: other).value
                return Response.makeMockResponse(with: request, statusCode: .ok)
            })
        _ = try await server.observed(by: observed).dataFuture(from: get).value
        #expect(observed.words == success && observed.summaries.map(\.bytesReceived) == [0])
    }

    @Test(
        "O1 ONE: an adapter's requests aren't part of the exchange, even with the same method and URL",
        arguments: RecordedExchange.Kind.allCases)
    func adapters(kind: RecordedExchange.Kind) async throws {
        let id = Box<ExchangeID>(), folder = try TemporaryFolder(), put = try request("PUT")
        let token = MockAnswer { request, _ in
            #expect(ExchangeID.current == nil)
            return Response.makeMockResponse(with: request, data: Data("token".utf8), statusCode: .ok)
        }
        let tokens = scripted(.number(503), token).retrying(.fixed(clock))
        let asking = AskingAdapter(dispatcher: tokens) { id.value = ExchangeID.current }
        let origin = CacheOrigin { _, number in number == 1 ? .init(status: 503) : .init(body: "text") }
        let adapting = URLRequestDispatcher(engine: origin, requestAdapter: asking, responseAdapter: asking)
        let dispatcher = adapting.retrying(.fixed(clock)).observed(by: observed)
        #expect(try await kind.text(of: put, by: dispatcher, in: folder).value == "text")
        #expect(
            await observed.ended() == [
                "started", "admitted", "head 503", "retrying 2", "restarted", "admitted", "head 200", "finished 200",
            ])
        #expect(observed.summaries.map(\.bytesReceived) == [4])
        #expect(id.value != nil && id.value == observed.events.first?.id)
        observed.check()
    }

    @Test("A mock that returns another dispatcher's answer reports the head once")
    func mockOfDispatcher() async throws {
        let inside = scripted(.number(503), .text("text")).retrying(.fixed(clock)), get = try request("GET")
        let server = scripted(MockAnswer { request, _ in try await inside.dataFuture(from: request).value })
        _ = try await server.observed(by: observed).dataFuture(from: get).value
        #expect(observed.words == ["started", "head 503", "retrying 2", "restarted", "head 200", "finished 200"])
        #expect(observed.summaries.map(\.bytesReceived) == [4])
    }

    @Test(
        "Each copy of a hedge over a mock reports its head and its bytes",
        arguments: [RecordedExchange.Kind.data, .upload, .stream])
    func copiesOfMock(kind: RecordedExchange.Kind) async throws {
        let server = AnsweringServer(), delay = ManualClock(), folder = try TemporaryFolder(), put = try request("PUT")
        let dispatcher = server.dispatcher.hedged(.test(delay)).observed(by: observed)
        let future = kind.text(of: put, by: dispatcher, in: folder)
        let task = Task { try await future.value }
        await server.sent.wait(for: 1)
        await delay.sleepers()
        delay.advance(by: .seconds(1))
        await server.sent.wait(for: 2)
        server.answer(1, .status(503))
        await observed.event("head 503")
        server.answer(2, .status(200))
        #expect(try await task.value == "2")
        #expect(await observed.ended() == ["started", "head 503", "head 200", "finished 200"])
        #expect(observed.summaries.map(\.bytesReceived) == [2])
        #expect(observed.summaries.map(\.bytesSent) == [kind == .upload ? 8 : 0])
        observed.check()
    }

    @Test("A dispatcher that reports nothing still has a head and lengths")
    func silent() async throws {
        var post = try request("POST")
        post.httpBody = Data("sent".utf8)
        _ = try await Silent().observed(by: observed).dataFuture(from: post).value
        #expect(observed.words == success)
        #expect(observed.summaries.map(\.bytesReceived) == [4] && observed.summaries.map(\.bytesSent) == [4])
    }

    @Test("What was sent counts hop by hop, also of a body that a redirecting server doesn't take to its end")
    func redirectBeforeEnd() async throws {
        let engine = DirectedEngine(), post = try request("POST")
        let dispatcher = URLRequestDispatcher(engine: engine).observed(by: observed)
        let upload = Task { await dispatcher.uploadFuture(from: post, with: Data(count: 10)).statusOrError }
        await engine.started(1)
        engine.tell(0, .sent(bytes: 3, expected: 10))
        let head = TransferHead(url: try #require(post.url), status: 307, fields: [("Location", "/next")])
        engine.tell(0, .head(head, request: post))
        engine.tell(0, .sent(bytes: 4, expected: 10))
        engine.tell(0, .finished)
        await engine.started(2)
        engine.tell(1, .sent(bytes: 5, expected: 10))
        engine.tell(1, .sent(bytes: 10, expected: 10))
        engine.answer(1)
        #expect(await upload.value == "200")
        #expect(observed.summaries.map(\.bytesSent) == [14])
    }

    @Test("O4 REDACTED: no printed event shows a secret, and the request is available")
    func redaction() async throws {
        var get = try request("GET", "https://user:secret@example.com/a?token=secret&page=2")
        get.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        struct Secretive: Error { let token = "secret" }
        let server = scripted(
            .number(503, headers: ["Set-Cookie": "secret"]), .failure(Secretive()),
            .text("secret", headers: ["X-API-Key": "secret"]))
        let dispatcher = server.retrying(.fixed(clock)).observed(by: observed)
        _ = await dispatcher.dataFuture(from: get).statusOrError
        _ = await dispatcher.dataFuture(from: get).statusOrError
        var text = "\(observed.events) \(dispatcher) \(dispatcher.policy)"
        dump(observed.events, to: &text)
        dump(dispatcher, to: &text)
        for event in observed.events {
            text += "\(event) \(event.step) \(String(reflecting: event)) \(String(reflecting: event.step))"
            dump(event.step, to: &text)
            guard let summary = event.summary else { continue }
            text += "\(summary) \(summary.outcome) \(String(reflecting: summary))"
            dump(summary, to: &text)
        }
        #expect(!text.contains("secret") && text.contains("page=2"))
        #expect(text.contains("failed with Secretive") && text.contains("ObservationPolicy(ObservedEvents)"))
        let first = try #require(observed.events.first)
        #expect(first.urlRequest == get && first.kind == .data)
        #expect("\(first)" == "\(first.id) GET https://<redacted>@example.com/a?token=<redacted>&page=2 started")
    }

    @Test("O5 NO COST: without observers there is no exchange ID")
    func none() async throws {
        let id = Box<ExchangeID>(), get = try request("GET")
        let server = scripted(
            MockAnswer { request, _ in
                id.value = ExchangeID.current
                return Response.makeMockResponse(with: request, statusCode: .ok)
            })
        _ = try await server.observed().dataFuture(from: get).value
        #expect(id.value == nil)
        _ = try await server.observed(by: observed).dataFuture(from: get).value
        #expect(id.value != nil && id.value == observed.events.first?.id && ExchangeID.current == nil)
    }

    @Test("Times come from the policy's clock and date")
    func times() async throws {
        let clock = ManualClock(), start = Date(timeIntervalSince1970: 1000)
        let server = MockRouteTable(script: MockScript([.number(503), .text("text")]))
        let policy = ObservationPolicy(observed, clock: clock, now: { start })
        let dispatcher = server.retrying(.fixed(clock)).applying(policy)
        let future = dispatcher.dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrError }
        await clock.sleepers()
        clock.advance(by: .milliseconds(2500))
        #expect(await task.value == "200")
        let late = Duration.milliseconds(2500)
        #expect(observed.events.map(\.elapsed) == [.zero, .zero, .zero, late, late, late])
        #expect(observed.events.map(\.start) == Array(repeating: start, count: 6))
        #expect(observed.events.last?.date == start + 2.5)
        #expect(observed.summaries.map(\.duration) == [late])
    }

    @Test("The start is reported with the starter's task-local values")
    func taskLocals() async throws {
        let log = EventLog(), get = try request("GET")
        let dispatcher = scripted(.text("text")).observed(by: .closure { log("\($0.word) \(Surroundings.name)") })
        _ = try await Surroundings.$name.withValue("here") { try await dispatcher.dataFuture(from: get).value }
        #expect(log.events.first == "started here")
    }

    @Test("Dispatchers of every type can be observed")
    func existentials() async throws {
        let get = try request("GET"), all: any RequestDispatcher = scripted(.text("text"))
        let data: any DataDispatcher = all, upload: any UploadDispatcher = all, stream: any StreamDispatcher = all
        let download: any DownloadDispatcher = all, folder = try TemporaryFolder(),
            requests = all.observed(by: observed)
        _ = try await requests.dataFuture(from: get).value
        _ = try await data.observed(by: observed).dataFuture(from: get).value
        _ = try await upload.observed(by: observed).uploadFuture(from: get, with: Data()).value
        _ = try await download.observed(by: observed).downloadFuture(from: get, to: folder.file("f")).value
        for try await _ in try await stream.observed(by: observed).streamFuture(from: get).value.data {}
        await observed.ended(5)
        #expect(observed.wordsByExchange == Array(repeating: success, count: 5))
    }
}
