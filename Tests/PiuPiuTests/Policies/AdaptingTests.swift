import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Logs that it has run, and adds its name to a header of the request.
private struct Naming: RequestAdapter, ResponseAdapter {
    let name: String
    let log: EventLog

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        log("\(name) asks")
        var request = urlRequest
        request.addValue(name, forHTTPHeaderField: "X-Adapted")
        return request
    }

    func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        log("\(name) answers \(urlRequest.value(forHTTPHeaderField: "X-Adapted") ?? "nothing")")
        return urlResponse
    }
}

@Suite("Adapters of any dispatcher", .timeLimit(.minutes(10)))
struct AdaptingTests {
    private let folder: TemporaryFolder
    private let get: URLRequest
    private let log = EventLog()

    init() throws {
        folder = try TemporaryFolder()
        get = try request("GET")
    }

    private var naming: Naming { Naming(name: "a", log: log) }

    private func names(_ server: RecordingDispatcher<MockRouteTable>) -> [String?] {
        server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "X-Adapted") }
    }

    @Test(
        "ADAPT: the adapted request is sent, and the adapted head delivered, for each kind",
        arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        let server = scripted(.text("text", status: .created))
        let dispatcher = server.adapting(
            requestAdapter: naming,
            responseAdapter: .closure { response, request in
                let url = try #require(response.url)
                let name = try #require(request.value(forHTTPHeaderField: "X-Adapted"))
                let head = HTTPURLResponse(url: url, statusCode: 299, httpVersion: nil, headerFields: ["X-Name": name])
                return try #require(head)
            })
        let text = kind.text(of: get, by: dispatcher.validating([299]), in: folder)
        #expect(try await text.value == "text")
        #expect(names(server) == ["a"] && log.events == ["a asks"])
        let response = try await dispatcher.dataFuture(from: get).value
        #expect(response.urlRequest.value(forHTTPHeaderField: "X-Adapted") == "a")
        #expect(response.headers["X-Name"] == "a")
    }

    @Test("COLD, ADAPT: nothing runs before the start; inside a retry each attempt is adapted, around it all are")
    func retries() async throws {
        for isInside in [true, false] {
            let server = scripted(.number(503), .number(503), .text("text")), log = EventLog()
            let policy = RetryPolicy.fixed(SkippingClock()), naming = Naming(name: "a", log: log)
            let dispatcher: any DataDispatcher =
                isInside
                ? server.adapting(requestAdapter: naming, responseAdapter: naming).retrying(policy)
                : server.retrying(policy).adapting(requestAdapter: naming, responseAdapter: naming)
            let future = dispatcher.dataFuture(from: get)
            #expect(log.events.isEmpty && server.exchanges.isEmpty)
            #expect(await future.statusOrError == "200")
            #expect(log.events == Array(repeating: ["a asks", "a answers a"], count: isInside ? 3 : 1).flatMap(\.self))
            #expect(names(server) == ["a", "a", "a"])
        }
    }

    @Test("ADAPT: of several the outermost asks first and answers last; the network's own are below all policies")
    func order() async throws {
        let origin = CacheOrigin { _, _ in .init(body: "text") }
        let (own, inner, outer) = (
            Naming(name: "own", log: log), Naming(name: "inner", log: log), Naming(name: "outer", log: log)
        )
        let dispatcher = URLRequestDispatcher(engine: origin).adapting(requestAdapter: own, responseAdapter: own)
            .retrying(.fixed(SkippingClock()))
            .adapting(requestAdapter: inner, responseAdapter: inner)
            .adapting(requestAdapter: outer, responseAdapter: outer)
        _ = try await dispatcher.dataFuture(from: get).value
        let names = "outer,inner,own"
        #expect(
            log.events == [
                "outer asks", "inner asks", "own asks", "own answers \(names)", "inner answers \(names)",
                "outer answers \(names)",
            ])
    }

    @Test("Dispatchers of every type can be adapted, and the network's dispatcher stays one")
    func types() async throws {
        let server = scripted(.text("text"))
        let all: any RequestDispatcher = server, data: any DataDispatcher = server
        let upload: any UploadDispatcher = server, download: any DownloadDispatcher = server
        let stream: any StreamDispatcher = server
        let adapted = all.adapting(requestAdapter: naming)
        _ = try await adapted.downloadFuture(from: get, to: folder.file("f")).value
        _ = try await data.adapting(requestAdapter: naming).dataFuture(from: get).value
        _ = try await upload.adapting(requestAdapter: naming).uploadFuture(from: get, with: Data()).value
        _ = try await download.adapting(requestAdapter: naming).downloadFuture(from: get, to: folder.file("f")).value
        _ = try await stream.adapting(requestAdapter: naming).streamFuture(from: get).value
        #expect(names(server) == Array(repeating: "a", count: 5))

        let network = URLRequestDispatcher(engine: CacheOrigin { _, _ in .init(body: "text") })
        let typed = network.adapting(requestAdapter: naming), limited = typed.limited(to: 1)
        let hidden: any RequestDispatcher = network.adapting(requestAdapter: naming)
        let onlyData: any DataDispatcher = network.adapting(requestAdapter: .headers(["X-A": "a"]))
        for dispatcher: any DataDispatcher in [typed, limited, hidden, onlyData] {
            #expect(dispatcher is URLRequestDispatcher)
        }
        func opaque(_ dispatcher: some RequestDispatcher) -> some RequestDispatcher {
            dispatcher.adapting(requestAdapter: naming)
        }
        #expect(opaque(network) is PolicyDispatcher<URLRequestDispatcher, AdapterPolicy>)
        log("here")
        _ = try await opaque(network).dataFuture(from: get).value
        #expect(log.events.suffix(2) == ["here", "a asks"])
    }

    @Test("An error of an adapter fails the future, a CancellationError cancels it, and nothing is sent")
    func errors() async throws {
        for error in [Mishap(number: 1), CancellationError()] as [any Error] {
            let expected = error is CancellationError ? "cancelled" : "\(error)", server = scripted(.text("text"))
            let asking = server.adapting(requestAdapter: .closure { _ in throw error })
            #expect(await asking.dataFuture(from: get).statusOrError == expected && server.exchanges.isEmpty)
            let answering = server.adapting(responseAdapter: .closure { _, _ in throw error })
            #expect(await answering.streamFuture(from: get).statusOrError == expected)
            #expect(server.exchanges.count == 1)
        }
    }

    @Test(
        "PROMPT: a deaf adapter keeps no cancelled future, and nothing is sent after it",
        arguments: RecordedExchange.Kind.allCases)
    func deaf(kind: RecordedExchange.Kind) async throws {
        let gate = Gate(), passed = Gate(), server = scripted(.text("text"))
        let dispatcher = server.adapting(
            requestAdapter: .closure { _ in
                await gate.pass()
                passed.open()
            })
        let future = kind.text(of: get, by: dispatcher.retrying(.fixed(SkippingClock())), in: folder)
        let task = Task { try await future.value }
        await gate.reached()
        future.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        await passed.opened()
        _ = try await server.dataFuture(from: get).value
        #expect(server.exchanges.count == 1)
    }

    @Test("D2 PROMPT: a deadline around a deaf adapter ends the future")
    func deadline() async throws {
        let gate = Gate(), clock = ManualClock(), server = scripted(.text("text"))
        let dispatcher = server.adapting(requestAdapter: .closure { _ in await gate.pass() })
            .deadline(.seconds(5), clock: clock)
        let task = Task { await dispatcher.dataFuture(from: get).statusOrStage }
        await gate.reached()
        await clock.sleepers()
        clock.advance(by: .seconds(5))
        #expect(await task.value == "5.0 seconds waiting")
        gate.open()
    }

    @Test(
        "ADAPT: a request with another URL is the same exchange, and those that an adapter sends are others",
        arguments: RecordedExchange.Kind.allCases)
    func exchange(kind: RecordedExchange.Kind) async throws {
        let observed = ObservedEvents(), tokens = scripted(.number(503)), clock = SkippingClock()
        let origin = CacheOrigin { _, number in number == 1 ? .init(status: 503) : .init(body: "text") }
        let asking = AskingAdapter(dispatcher: tokens), put = try request("PUT")
        let dispatcher = URLRequestDispatcher(engine: origin)
            .retrying(.fixed(clock))
            .adapting(requestAdapter: asking, responseAdapter: asking)
            .adapting(requestAdapter: .closure { $0.url?.append(path: "signed") })
            .retrying(.fixed(clock))
            .observed(by: observed)
        #expect(try await kind.text(of: put, by: dispatcher, in: folder).value == "text")
        #expect(
            await observed.ended() == [
                "started", "admitted", "head 503", "retrying 2", "restarted", "admitted", "head 200", "finished 200",
            ])
        #expect(observed.summaries.map(\.bytesReceived) == [4] && tokens.exchanges.count == 2)
        observed.check()
    }

    @Test("R8 BODY: a body that an adapter sets is sent with each attempt, and an upload keeps its own")
    func bodies() async throws {
        let server = scripted(.number(503), .text("text")), put = try request("PUT")
        let dispatcher = server.retrying(.fixed(SkippingClock()))
            .adapting(requestAdapter: .closure { $0.httpBody = Data("adapted".utf8) })
        _ = try await dispatcher.dataFuture(from: put).value
        _ = try await dispatcher.uploadFuture(from: put, with: Data("own".utf8)).value
        #expect(server.exchanges.map { $0.body.data.text } == ["adapted", "adapted", "own"])
    }

    @Test("Without an adapter it does nothing; its description has the types, and its mirror nothing")
    func none() async throws {
        let server = scripted(.text("text"))
        #expect(await server.adapting().dataFuture(from: get).statusOrError == "200")
        #expect("\(AdapterPolicy())" == "AdapterPolicy()")
        let policy = AdapterPolicy(requestAdapter: .headers(["X-API-Key": "secret"]), responseAdapter: naming)
        #expect("\(policy)" == "AdapterPolicy(ClosureRequestAdapter, Naming)")
        #expect(Mirror(reflecting: policy).children.isEmpty)
    }
}
