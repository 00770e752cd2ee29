import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Adapters", .timeLimit(.minutes(10)))
struct AdapterTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer.start()
    }

    private struct HeaderAdapter: RequestAdapter {
        let name: String
        let log: EventLog

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            log(name)
            var request = urlRequest
            request.addValue(name, forHTTPHeaderField: "X-Adapted")
            return request
        }
    }

    /// Calls its callback in the given manner.
    private final class CallbackAdapter: URLRequestAdapter, URLResponseAdapter {
        enum Manner: CaseIterable { case once, later, twice, never, throwing, callingAndThrowing }

        let manner: Manner

        init(_ manner: Manner) {
            self.manner = manner
        }

        func adapt(
            urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void
        ) throws {
            var request = urlRequest
            request.setValue("callback", forHTTPHeaderField: "X-Adapted")
            try act(request, callback)
        }

        func adapt(
            urlResponse: URLResponse, for urlRequest: URLRequest,
            with callback: @escaping @Sendable (URLResponse) throws -> Void
        ) throws {
            let url = try #require(urlRequest.url)
            let response = try #require(
                HTTPURLResponse(url: url, statusCode: 299, httpVersion: nil, headerFields: nil))
            try act(response, callback)
        }

        private func act<Value: Sendable>(
            _ value: Value, _ callback: @escaping @Sendable (Value) throws -> Void
        ) throws {
            switch manner {
            case .once: try callback(value)
            case .later: DispatchQueue.global().async { try? callback(value) }
            case .twice:
                try callback(value)
                DispatchQueue.global().async { try? callback(value) }
            case .never: break
            case .throwing: throw Mishap(number: 1)
            case .callingAndThrowing:
                try callback(value)
                throw Mishap(number: 2)
            }
        }

        var isGood: Bool { manner != .never && manner != .throwing }
    }

    /// Each kind of transfer, as the head of the response.
    private static func transfers(
        _ dispatcher: URLRequestDispatcher, _ request: URLRequest, _ folder: TemporaryFolder
    ) -> [ResponseFuture<TransferHead>] {
        var post = request
        post.httpMethod = "POST"
        return [
            dispatcher.dataFuture(from: request).then { $0.head },
            dispatcher.uploadFuture(from: post, with: Data("x".utf8)).then { $0.head },
            dispatcher.downloadFuture(from: request, to: folder.file("f")).then { $0.head },
            dispatcher.streamFuture(from: request).then { $0.head },
        ]
    }

    @Test("ADAPT: the adapted request is sent, and the response names it")
    func adaptedRequest() async throws {
        let log = EventLog()
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral,
            requestAdapter: RequestAdapterChain(
                HeaderAdapter(name: "first", log: log), HeaderAdapter(name: "second", log: log)))
        let response = try await dispatcher.dataFuture(from: server.request("/echo")).value
        #expect(try Echo(response.data).header("X-Adapted") == "first,second")
        #expect(response.urlRequest.value(forHTTPHeaderField: "X-Adapted") == "first,second")
        // Once each, in order.
        #expect(log.events == ["first", "second"])
    }

    @Test("ADAPT: every kind of transfer is adapted, once")
    func allTransfers() async throws {
        let log = EventLog()
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral, requestAdapter: HeaderAdapter(name: "a", log: log),
            responseAdapter: CallbackAdapter(.once))
        let folder = try TemporaryFolder()
        for future in Self.transfers(dispatcher, server.request("/echo"), folder) {
            #expect(try await future.value.status == 299)
        }
        #expect(log.events.count == 4)
        #expect(server.requests(path: "/echo").allSatisfy { $0.header("X-Adapted") == "a" })
        #expect(server.requestCount() == 4)
    }

    @Test("ADAPT, COLD: an adapter runs when the future starts, and not before")
    func cold() async throws {
        let log = EventLog()
        let dispatcher = URLRequestDispatcher(requestAdapter: HeaderAdapter(name: "a", log: log))
        let future = dispatcher.dataFuture(from: server.request("/text"))
        #expect(log.events.isEmpty)
        _ = try await future.value
        _ = try await future.value
        #expect(log.events == ["a"])
    }

    @Test("NEVER-HANG, SETTLE: an adapter with a callback, whatever it does", arguments: [true, false])
    func callbacks(adaptsRequests: Bool) async throws {
        for manner in CallbackAdapter.Manner.allCases {
            let adapter = CallbackAdapter(manner)
            let dispatcher = URLRequestDispatcher(
                configuration: .ephemeral, requestAdapter: adaptsRequests ? adapter : nil,
                responseAdapter: adaptsRequests ? nil : adapter)
            let folder = try TemporaryFolder()
            for future in Self.transfers(dispatcher, server.request("/echo"), folder) {
                server.forgetRequests()
                switch await future.safeResult().result {
                case .success(.success(let response)):
                    #expect(adapter.isGood)
                    #expect(response.status == (adaptsRequests ? 200 : 299))
                    #expect(server.requests.map { $0.header("X-Adapted") } == [adaptsRequests ? "callback" : nil])
                case .success(.failure(let error)):
                    switch manner {
                    case .never:
                        #expect((error as? AdapterError)?.errorDescription?.contains("CallbackAdapter") == true)
                    default: #expect(manner == .throwing && error is Mishap)
                    }
                    #expect(server.requestCount() == (adaptsRequests ? 0 : 1))
                case .failure(let error):
                    Issue.record("\(manner): \(error)")
                }
            }
            #expect(try folder.names == (adapter.isGood ? ["f"] : []))
        }
    }

    @Test("VALUE: a dispatcher retains its adapter")
    func strongReference() async throws {
        let dispatcher = URLRequestDispatcher(requestAdapter: CallbackAdapter(.later))
        let response = try await dispatcher.dataFuture(from: server.request("/echo")).value
        #expect(try Echo(response.data).header("X-Adapted") == "callback")
    }

    @Test("DOWN: a cancellation ends the wait for an adapter, and nothing is sent")
    func cancellation() async throws {
        final class Keeper: URLRequestAdapter {
            let callbacks = Log<@Sendable (URLRequest) throws -> Void>()
            func adapt(
                urlRequest: URLRequest, with callback: @escaping @Sendable (URLRequest) throws -> Void
            ) throws { callbacks.append(callback) }
        }
        let adapter = Keeper()
        let dispatcher = URLRequestDispatcher(requestAdapter: adapter)
        let request = server.request("/text")
        let future = dispatcher.dataFuture(from: request)
        let task = Task { try await future.value }
        let callback = try #require(await adapter.callbacks.first { _ in true })
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        try callback(request)
        // What was sent nevertheless would have arrived before another request is answered.
        let other = server.request("/empty"), next = dispatcher.dataFuture(from: other)
        next.start()
        let nextCallback = try #require(await adapter.callbacks.first { _ in true })
        try nextCallback(other)
        _ = try await next.value
        #expect(server.requestCount(path: "/text") == 0)
    }

    /// Answers every request with the same head.
    private struct HeadEngine: TasklessEngine {
        private struct Handle: TransferHandle { func cancel() {} }

        let fields: [(name: String, value: String)]

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            guard let url = request.urlRequest.url else { return Handle() }
            let head = TransferHead(url: url, status: 200, version: "HTTP/2", fields: fields)
            onEvent(.head(head, request: request.urlRequest))
            onEvent(.finished)
            return Handle()
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    @Test("ADAPT: an adapter that returns the response that it got changes nothing of the head")
    func unchanged() async throws {
        struct Passing: ResponseAdapter {
            func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
                urlResponse
            }
        }
        let engine = HeadEngine(fields: [("X-Part", "1"), ("A-Field", "2"), ("X-Part", "3")])
        let dispatcher = URLRequestDispatcher(engine: engine, responseAdapter: Passing())
        let folder = try TemporaryFolder()
        for future in Self.transfers(dispatcher, server.request("/echo"), folder) {
            let head = try await future.value
            #expect(head.values(for: "X-Part") == ["1", "3"] && head.version == "HTTP/2")
            #expect(head.fields.map(\.name) == ["X-Part", "A-Field", "X-Part"])
        }
    }

    @Test("An adapter can make an HTTP response of a local one")
    func localFiles() async throws {
        struct FilesAsHTTP: ResponseAdapter {
            func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
                guard let url = urlResponse.url, url.isFileURL else { return urlResponse }
                return HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: nil) ?? urlResponse
            }
        }
        let folder = try TemporaryFolder()
        let file = try folder.file("post.json", containing: #"{"id": 7}"#)
        let dispatcher = URLRequestDispatcher(responseAdapter: FilesAsHTTP())
        let response = try await dispatcher.dataFuture(from: URLRequest(url: file)).makeHTTPResponse()
            .decoded([String: Int].self).value
        #expect(response.statusCode == .created)
        #expect(response.data == ["id": 7])
        let text = try #require(URL(string: "data:application/json,%7B%22id%22%3A8%7D"))
        let inline = try await dispatcher.dataFuture(from: URLRequest(url: text)).decoded([String: Int].self).value
        #expect(inline.data == ["id": 8])
    }
}
