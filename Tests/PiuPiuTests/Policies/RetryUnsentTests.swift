import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error says that a host can't be reached, but it isn't that of the request.
@Suite("Errors of other requests", .timeLimit(.minutes(10)))
struct RetryUnsentTests {
    /// Loads something itself, which fails.
    private struct VerifyingAdapter: ResponseAdapter {
        func adapt(_ response: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            throw TransferError(.hostNotFound, url: URL(string: "https://keys.example"))
        }
    }

    /// Sends no body in a GET, as the engines over sockets.
    private struct StrictEngine: TransferEngine {
        let base: CacheOrigin

        var settings: TransferSettings {
            var settings = TransferSettings()
            settings.allowsBodyInGet = false
            return settings
        }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            base.start(request, onEvent: onEvent)
        }

        func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
        func invalidateAndCancel() { base.invalidateAndCancel() }
    }

    @Test("R2 IDEMPOTENT: a POST that was answered isn't sent again after an adapter's own error")
    func adapter() async throws {
        for (method, count) in [("POST", 1), ("PUT", 3)] {
            let origin = CacheOrigin { _, _ in .init(status: 201) }
            let dispatcher = URLRequestDispatcher(engine: origin, responseAdapter: VerifyingAdapter())
                .retrying(.fixed(SkippingClock()))
            await #expect(throws: TransferError.self) {
                try await dispatcher.dataFuture(from: request(method)).value
            }
            #expect(origin.count == count, "\(method)")
        }
    }

    @Test("R2 IDEMPOTENT: a POST that got a 401 isn't sent again because the login server can't be reached")
    func refresh() async throws {
        for (method, count) in [("POST", 1), ("GET", 3)] {
            let server = KeyServer(accepting: 2) { _ in }
            let session = try keys(1) { _ in throw TransferError(.cannotConnect) }
            let dispatcher = server.authenticated(by: session).retrying(.fixed(SkippingClock()))
            #expect(await dispatcher.dataFuture(from: try request(method)).statusOrName != "200")
            #expect(server.sent.count == count, "\(method)")
        }
    }

    /// Sends a request of its own after each order, or the order itself to another server.
    private struct AuditedShop: DataDispatcher {
        let shop: URLRequestDispatcher
        let audit: URLRequestDispatcher
        let record: URLRequest?
        let isChained: Bool

        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            let record = record ?? urlRequest
            guard !isChained else {
                return shop.dataFuture(from: urlRequest).flatMap { response in
                    audit.dataFuture(from: record).then { _ in response }
                }
            }
            return ResponseFuture { () async throws -> Response<Data?> in
                let response = try await shop.dataFuture(from: urlRequest).value
                _ = try await audit.dataFuture(from: record).value
                return response
            }
        }
    }

    @Test(
        "R2 IDEMPOTENT: a POST that was answered isn't sent again after the error of a wrapper's later request",
        arguments: [true, false], ["https://audit.example/orders", "https://example.com/orders", nil])
    func laterRequest(isChained: Bool, record: String?) async throws {
        for (method, count) in [("POST", 1), ("PUT", 3)] {
            let origin = CacheOrigin { _, _ in .init(status: 201) }
            let unknown = CacheOrigin { _, _ in .init(error: .hostNotFound) }
            let dispatcher = AuditedShop(
                shop: URLRequestDispatcher(engine: origin), audit: URLRequestDispatcher(engine: unknown),
                record: try record.map { try request("GET", $0) }, isChained: isChained
            ).retrying(.fixed(SkippingClock()))
            #expect(await dispatcher.dataFuture(from: try request(method)).statusOrError == "hostNotFound")
            #expect(origin.count == count, "\(method)")
        }
    }

    /// How often the chunks of an upload are made that can't reach their own server.
    private func chunksMade(_ method: String, _ dispatcher: some UploadDispatcher) async throws -> Int {
        let made = Counter(), source = try url("https://source.example")
        let chunks = TransferChunks(makeChunks: {
            made.increment()
            return AskedChunks(1) { _ in throw TransferError(.cannotConnect, url: source) }
        })
        let error = await #expect(throws: TransferError.self) {
            try await dispatcher.retrying(.fixed(SkippingClock()))
                .uploadFuture(from: try request(method), with: .chunks(chunks)).value
        }
        #expect(error?.kind == .cannotConnect && error?.url == source)
        return made.value
    }

    @Test("R2 IDEMPOTENT: a POST isn't sent again because the chunks of its body can't be loaded")
    func chunks() async throws {
        for (method, count) in [("POST", 1), ("PUT", 3)] {
            #expect(try await chunksMade(method, scripted(.number(200))) == count, "\(method)")
            let network = URLRequestDispatcher(engine: DirectedEngine())
            #expect(try await chunksMade(method, network) == count, "\(method)")
        }
    }

    @Test("R2 IDEMPOTENT: a POST that was never sent is sent again, also after one that was")
    func unsent() async throws {
        let server = scripted(.broken(.cannotConnect), .number(200))
        let dispatcher = server.retrying(.fixed(SkippingClock())), post = try request("POST")
        #expect(try await dispatcher.dataFuture(from: post).value.head.status == 200)
        let first = scripted(.number(200)).retrying(.fixed(SkippingClock()))
        let second = scripted(.broken(.cannotConnect), .number(201)).retrying(.fixed(SkippingClock()))
        let chain = first.dataFuture(from: post).flatMap { _ in second.dataFuture(from: post) }
        #expect(try await chain.value.head.status == 201)
    }

    /// Fails before the first request is sent.
    private struct FailingAdapter: RequestAdapter {
        let calls = Counter()

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            if calls.increment() == 1 { throw TransferError(.cannotConnect) }
            return urlRequest
        }
    }

    @Test("R2 IDEMPOTENT, SAME: what the request before in a chain has come to says nothing about a POST")
    func unsentInChain() async throws {
        let origin = CacheOrigin { _, number in .init(status: 200 + number) }, post = try request("POST")
        let first = URLRequestDispatcher(engine: origin).retrying(.fixed(SkippingClock()))
        for isHeld in [true, false] {
            let second = URLRequestDispatcher(engine: origin, requestAdapter: FailingAdapter())
                .retrying(.fixed(SkippingClock()))
            let held = isHeld ? second.dataFuture(from: post) : nil
            let chain = first.dataFuture(from: post).flatMap { _ in held ?? second.dataFuture(from: post) }
            #expect(await chain.statusOrName == (isHeld ? "202" : "204"))
        }
    }

    /// Answers without an update: with a 401 first, and then not at all.
    private struct SilentDispatcher: DataDispatcher {
        let sent = Counter()

        func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
            ResponseFuture {
                sent.increment()
                return Response.makeMockResponse(with: urlRequest, data: nil, statusCode: .unauthorized)
            }
        }
    }

    @Test("R2 IDEMPOTENT: the same of a dispatcher that reports no updates")
    func refreshWithoutUpdates() async throws {
        for (method, count) in [("POST", 1), ("GET", 3)] {
            let server = SilentDispatcher(), session = try keys(1) { _ in throw TransferError(.cannotConnect) }
            let dispatcher = server.authenticated(by: session).retrying(.fixed(SkippingClock()))
            #expect(await dispatcher.dataFuture(from: try request(method)).statusOrName != "200")
            #expect(server.sent.value == count, "\(method)")
        }
    }

    @Test("A GET with an empty body is sent through a policy, too")
    func emptyBody() async throws {
        let dispatcher = URLRequestDispatcher(engine: StrictEngine(base: CacheOrigin { _, _ in .init() }))
        let get = try request("GET")
        #expect(try await dispatcher.uploadFuture(from: get, with: Data()).value.head.status == 200)
        #expect(try await dispatcher.retrying().uploadFuture(from: get, with: Data()).value.head.status == 200)
    }
}
