import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A form of future whose request a closure makes.
enum RequestClosure: CaseIterable, Sendable {
    case data, download, resumableDownload, uploadOfData, uploadOfBody, uploadOfFile, uploadOfChunks, uploadOfForm
    case stream

    private static let form: MultipartForm = {
        var form = MultipartForm()
        form.append(text: "body", forName: "title")
        return form
    }()

    /// A future of the status.
    func future(
        by dispatcher: some RequestDispatcher, _ file: URL, from make: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Int> {
        switch self {
        case .data: dispatcher.dataFuture(from: make).then { $0.head.status ?? 0 }
        case .download: dispatcher.downloadFuture(destination: file, from: make).then { $0.head.status ?? 0 }
        case .resumableDownload:
            dispatcher.downloadFuture(destination: file, isResumable: true, from: make).then { $0.head.status ?? 0 }
        case .uploadOfData: dispatcher.uploadFuture(with: Data("body".utf8), from: make).then { $0.head.status ?? 0 }
        case .uploadOfBody:
            dispatcher.uploadFuture(with: .data(Data("body".utf8)), from: make).then { $0.head.status ?? 0 }
        case .uploadOfFile: dispatcher.uploadFuture(withFile: file, from: make).then { $0.head.status ?? 0 }
        case .uploadOfChunks:
            dispatcher.uploadFuture(
                withChunks: AskedChunks(1).map { _ in Data("body".utf8) }, length: 4, from: make
            )
            .then { $0.head.status ?? 0 }
        case .uploadOfForm:
            dispatcher.uploadFuture(withForm: Self.form, from: make).then { $0.head.status ?? 0 }
        case .stream: dispatcher.streamFuture(from: make).then { $0.head.status ?? 0 }
        }
    }

    var kind: RecordedExchange.Kind {
        switch self {
        case .data: .data
        case .download, .resumableDownload: .download
        case .uploadOfData, .uploadOfBody, .uploadOfFile, .uploadOfChunks, .uploadOfForm: .upload
        case .stream: .stream
        }
    }

    /// The request that is sent for that of the closure.
    func sent(_ urlRequest: URLRequest) -> URLRequest {
        var request = urlRequest
        if self == .uploadOfForm { request.setValue(Self.form.contentType, forHTTPHeaderField: "Content-Type") }
        return request
    }
}

/// Logs whether a download was to be resumable.
private struct Downloads: DownloadDispatcher {
    let log: EventLog

    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        downloadFuture(from: urlRequest, to: destination, isResumable: false)
    }

    func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        log("resumable \(isResumable)")
        return ResponseFuture(error: Mishap())
    }
}

@Suite("Requests that a closure makes", .timeLimit(.minutes(10)))
struct RequestClosureTests {
    private let server: RecordingDispatcher<MockRouteTable>
    /// The bodies that the server has got.
    private let received = EventLog()
    private let get: URLRequest
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        server = scripted(
            MockAnswer { [received] request, _ in
                received(request.httpBody.text ?? "none")
                return .makeMockResponse(with: request, data: Data("text".utf8), statusCode: .ok)
            })
        get = try request("GET")
        folder = try TemporaryFolder()
        file = try folder.file("file", containing: "body")
    }

    @Test("COLD, SYNC-START, ONCE: the closure runs inside send(), and once", arguments: RequestClosure.allCases)
    func start(form: RequestClosure) async {
        let log = EventLog()
        let future = form.future(by: server, file) { [get] in
            log("request")
            return get
        }
        #expect(log.events.isEmpty && server.exchanges.isEmpty)
        future.send()
        #expect(log.events == ["request"])
        future.send()
        #expect(await future.ending == "value 200")
        #expect(log.events == ["request"])
        #expect(server.exchanges.map(\.kind) == [form.kind])
        #expect(server.exchanges.map(\.urlRequest) == [form.sent(get)])
        #expect(received.events.map { $0.contains("body") } == [form.kind == .upload])
    }

    @Test("nil cancels, a throw fails, and nothing is sent", arguments: RequestClosure.allCases)
    func noRequest(form: RequestClosure) async {
        #expect(await form.future(by: server, file) { nil }.ending == "cancelled")
        #expect(await form.future(by: server, file) { throw Mishap(number: 1) }.ending == "error Mishap(number: 1)")
        #expect(server.exchanges.isEmpty)
    }

    @Test("It is bound to the scope of its dispatcher when it is made", arguments: RequestClosure.allCases)
    func scope(form: RequestClosure) async {
        let scope = FutureScope(), log = EventLog()
        let future = form.future(by: server.bound(to: scope), file) { [get] in
            log("request")
            return get
        }
        #expect(scope.count == 1)
        scope.cancelAll()
        #expect(scope.count == 0)
        #expect(await future.ending == "cancelled")
        #expect(log.events.isEmpty && server.exchanges.isEmpty)
    }

    @Test("isResumable passes through")
    func resumable() async {
        let log = EventLog(), downloads = Downloads(log: log)
        for isResumable in [true, false] {
            let future = downloads.downloadFuture(destination: file, isResumable: isResumable) { [get] in get }
            #expect(await future.statusOrError == "\(Mishap())")
        }
        #expect(log.events == ["resumable true", "resumable false"])
    }
}
