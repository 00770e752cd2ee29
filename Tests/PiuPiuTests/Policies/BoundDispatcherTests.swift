import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Dispatchers in a scope", .timeLimit(.minutes(10)))
struct BoundDispatcherTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    private let network = URLRequestDispatcher(configuration: .ephemeral)
    private let scope = FutureScope()

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
    }

    @Test("A transfer of each kind is cancelled with the scope", arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        server.handle("*", "/stall", reply: .stall)
        var put = server.request("/stall")
        put.httpMethod = "PUT"
        let future = kind.text(of: put, by: network.bound(to: scope), in: folder)
        let awaiting = Awaiting(now: future)
        try await server.waitForRequests()
        scope.cancel()
        #expect(await awaiting.ending == "cancelled")
        #expect(future.status == .cancelled)
        try await server.waitForClosedConnections()
    }

    @Test("A stream's body is cancelled with the scope, and leaves it at its end")
    func stream() async throws {
        let dispatcher = network.bound(to: scope), hasBegun = Gate()
        let whole = try await dispatcher.streamFuture(from: server.request("/bytes/1000")).value
        #expect(try await whole.data.reduce(0) { $0 + $1.count } == 1000)
        #expect(scope.count == 0)
        let response = try await dispatcher.streamFuture(from: server.request("/fault/stall-mid-body")).value
        #expect(scope.count == 1)
        let reading = Awaiting(running: {
            for try await _ in response.data { hasBegun.open() }
            return "end"
        })
        await hasBegun.opened()
        scope.cancelAll()
        #expect(await reading.ending == "cancelled")
        try await server.waitForClosedConnections()
        let dropped = try await dispatcher.streamFuture(from: server.request("/fault/stall-mid-body")).value
        #expect(dropped.head.status == 200)
        scope.cancel()
        try await server.waitForClosedConnections()
        #expect(scope.count == 0)
    }

    @Test("A body that has arrived, but isn't read, is cancelled with the scope")
    func unread() async throws {
        let get = try request("GET"), dispatcher = scripted(.text("text")).bound(to: scope)
        let body = try await dispatcher.streamFuture(from: get).value.data
        #expect(scope.count == 1)
        scope.cancelAll()
        await #expect(throws: CancellationError.self) { try await body.reduce(0) { $0 + $1.count } }
        #expect(scope.count == 0)
        // The reader has all bytes, and not the end.
        var chunks = try await dispatcher.streamFuture(from: get).value.data.makeAsyncIterator()
        #expect(try await chunks.next() == Data("text".utf8) && scope.count == 1)
        scope.cancel()
        await #expect(throws: CancellationError.self) { try await chunks.next() }
        #expect(scope.count == 0)
    }

    @Test("What is left of a chunk that was parsed is cancelled with the scope, an error too", arguments: [16, 2])
    func undelivered(limit: Int) async throws {
        let get = try request("GET"), dispatcher = scripted(.text("a\nlonger\npart")).bound(to: scope)
        var lines = try await dispatcher.streamFuture(from: get).value.data.lines(limit: limit).makeAsyncIterator()
        #expect(try await lines.next() == "a")
        scope.cancelAll()
        await #expect(throws: CancellationError.self) { try await lines.next() }
        #expect(try await lines.next() == nil)
    }

    @Test("A dropped body leaves the scope")
    func droppedStream() async throws {
        let dispatcher = network.bound(to: scope)
        do { _ = try await dispatcher.streamFuture(from: server.request("/fault/stall-mid-body")).value }
        try await server.waitForClosedConnections()
        #expect(scope.count == 0)
    }

    @Test("COLD, EARLY: a dispatcher whose scope is cancelled, or gone, sends nothing", arguments: [true, false])
    func late(isGone: Bool) async throws {
        var scope: FutureScope? = FutureScope()
        let dispatcher = try network.bound(to: #require(scope))
        let before = dispatcher.dataFuture(from: server.request("/text"))
        if isGone { scope = nil } else { scope?.cancel() }
        let after = dispatcher.dataFuture(from: server.request("/text"))
        #expect(before.status == .cancelled && after.status == .cancelled)
        #expect(await [before.statusOrError, after.statusOrError] == ["cancelled", "cancelled"])
        // The dispatcher below still works; anything sent earlier arrives before this.
        _ = try await network.dataFuture(from: server.request("/bytes/1")).value
        #expect(server.requestCount() == 1)
    }

    @Test("Unbound futures of the same dispatcher, and those of another scope, go on")
    func others() async throws {
        let gate = LoopbackGate(), other = FutureScope()
        server.handle("GET", "/gated", reply: .text("text").gated(by: gate))
        let request = server.request("/gated")
        let bound = network.bound(to: scope).dataFuture(from: request)
        let elsewhere = Awaiting(now: network.bound(to: other).dataFuture(from: request).then { $0.head.status ?? 0 })
        let free = Awaiting(now: network.dataFuture(from: request).then { $0.head.status ?? 0 })
        let cancelled = Awaiting(now: bound)
        try await gate.waitForArrivals(3)
        scope.cancel()
        #expect(await cancelled.ending == "cancelled")
        gate.open()
        #expect(await [elsewhere.ending, free.ending] == ["value 200", "value 200"])
    }

    @Test("A future whose request or body is made when it starts is bound, too")
    func madeLate() async throws {
        let server = scripted(.text("text"), .text("text")), get = try request("GET"), file = folder.file("file")
        let dispatcher = server.bound(to: scope)
        let futures: [AnyResponseFuture] = [
            dispatcher.dataFuture { get }, dispatcher.downloadFuture(destination: file) { get },
            dispatcher.uploadFuture(with: Data()) { get },
            dispatcher.uploadFuture(from: get, withForm: MultipartForm()),
        ]
        #expect(scope.count == 4)
        scope.cancelAll()
        for future in futures {
            #expect(future.status == .cancelled)
            future.send()
        }
        #expect(server.exchanges.isEmpty && scope.count == 0)
        #expect(try await dispatcher.dataFuture { get }.value.head.status == 200)
        #expect(server.exchanges.count == 1 && scope.count == 0)
    }

    @Test("COLD, EARLY: the futures of a recorder around a bound dispatcher are bound when they are made")
    func recorder() async throws {
        let server = scripted(.text("text")), get = try request("GET"), file = folder.file("file")
        let recorder = RecordingDispatcher(server.bound(to: scope))
        let futures: [AnyResponseFuture] = [
            recorder.dataFuture(from: get), recorder.uploadFuture(from: get, with: Data()),
            recorder.downloadFuture(from: get, to: file), recorder.streamFuture(from: get),
        ]
        #expect(scope.count == 4)
        scope.cancelAll()
        for future in futures {
            #expect(future.status == .cancelled)
            future.send()
        }
        #expect(recorder.exchanges.isEmpty && server.exchanges.isEmpty && scope.count == 0)
        #expect(try await recorder.dataFuture(from: get).value.head.status == 200)
        #expect(recorder.exchanges.count == 1 && scope.count == 0)
    }

    @Test("After a cancellation in a retry's wait, nothing more is sent")
    func retry() async throws {
        let clock = ManualClock(), failing = scripted(.number(503)), get = try request("GET")
        let awaiting = Awaiting(now: failing.retrying(.fixed(clock)).bound(to: scope).dataFuture(from: get))
        await clock.sleepers()
        scope.cancel()
        #expect(await awaiting.ending == "cancelled")
        await clock.noSleepers()
        #expect(failing.exchanges.count == 1 && scope.count == 0)
    }

    @Test("Dispatchers of every type can be bound; updates pass through")
    func existentials() async throws {
        let server = scripted(.text("text")), get = try request("GET"), file = folder.file("file")
        let data: any DataDispatcher = server, upload: any UploadDispatcher = server
        let stream: any StreamDispatcher = server, download: any DownloadDispatcher = server
        let all: any RequestDispatcher = server
        let bound: [AnyResponseFuture] = [
            data.bound(to: scope).dataFuture(from: get), upload.bound(to: scope).uploadFuture(from: get, with: Data()),
            stream.bound(to: scope).streamFuture(from: get), all.bound(to: scope).dataFuture(from: get),
            download.bound(to: scope).downloadFuture(from: get, to: file),
        ]
        #expect(scope.count == 5 && server.exchanges.isEmpty)
        #expect(await all.bound(to: scope).dataFuture(from: get).allUpdates.map(\.stage) == [.started, .received])
        #expect("\(ScopePolicy(scope))".hasSuffix("bound)"))
        scope.cancel()
        #expect(bound.allSatisfy { $0.status == .cancelled } && "\(ScopePolicy(scope))" == "ScopePolicy(cancelled)")
    }

    /// Makes no future of its own.
    private struct Passing: DispatcherPolicy {
        func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
            exchange.makeFuture()
        }
    }

    @Test("COLD, EARLY: the futures of policies above a bound dispatcher are bound when they are made")
    func policiesAbove() async throws {
        let server = scripted(.text("text")), get = try request("GET"), file = folder.file("file")
        let clock = ManualClock(), bound = server.bound(to: scope), session = try keys(1)
        let dispatchers: [any RequestDispatcher] = [
            bound.retrying(.fixed(clock)), bound.validating(), bound.deadline(.seconds(5), clock: clock),
            bound.hedged(HedgePolicy(after: .seconds(5), clock: clock)), bound.observed(by: ExchangeLog { _ in }),
            bound.authenticated(by: session), bound.retrying(.fixed(clock)).validating(),
        ]
        for dispatcher in dispatchers {
            let futures: [AnyResponseFuture] = [
                dispatcher.dataFuture(from: get), dispatcher.uploadFuture(from: get, with: Data()),
                dispatcher.uploadFuture(from: get, with: TransferBody.data(Data())),
                dispatcher.downloadFuture(from: get, to: file), dispatcher.streamFuture(from: get),
            ]
            scope.cancelAll()
            for future in futures {
                #expect(future.status == .cancelled, "\(dispatcher)")
                future.send()
            }
        }
        #expect(server.exchanges.isEmpty && scope.count == 0)
        #expect(try await bound.retrying(.fixed(clock)).dataFuture(from: get).value.head.status == 200)
        #expect(server.exchanges.count == 1 && scope.count == 0)
        let same = bound.applying(Passing()).dataFuture(from: get)
        #expect(scope.count == 1 && same.status == .created)
    }

    @Test("The wait between attempts of a policy above a bound dispatcher ends with the scope")
    func waitAbove() async throws {
        let clock = ManualClock(), failing = scripted(.number(503)), get = try request("GET")
        let future = failing.bound(to: scope).retrying(.fixed(clock)).dataFuture(from: get)
        let awaiting = Awaiting(now: future)
        await clock.sleepers()
        scope.cancelAll()
        try #require(future.status == .cancelled)
        #expect(await awaiting.ending == "cancelled")
        await clock.noSleepers()
        #expect(failing.exchanges.count == 1 && scope.count == 0)
    }
}
