import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A policy as a user might write it.
private struct Numbering: DispatcherPolicy {
    let name: String
    let count = Counter()

    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        var request = exchange.urlRequest
        request.addValue("\(name)\(count.increment())", forHTTPHeaderField: "X-Number")
        return exchange.makeFuture(from: request)
    }
}

/// Logs the exchanges that it gets.
private struct Noting: DispatcherPolicy {
    let log: EventLog

    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        log("\(exchange.kind) \(exchange)")
        return exchange.makeFuture()
    }
}

/// Logs whether a download was to be resumable.
private struct Downloads: DownloadDispatcher {
    let log: EventLog

    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        log("plain")
        return ResponseFuture(error: Mishap())
    }

    func downloadFuture(
        from urlRequest: URLRequest, to destination: URL, isResumable: Bool
    ) -> ResponseFuture<Response<URL>> {
        log("resumable \(isResumable)")
        return ResponseFuture(error: Mishap())
    }
}

/// Doesn't implement resumable downloads.
private struct PlainDownloads: DownloadDispatcher {
    let log: EventLog

    func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        log("plain")
        return ResponseFuture(error: Mishap())
    }
}

@Suite("Policies over dispatchers", .timeLimit(.minutes(10)))
struct DispatcherPolicyTests {
    @Test("A policy of the user's own works for each kind of exchange", arguments: RecordedExchange.Kind.allCases)
    func ownPolicy(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder(), server = scripted(.text("text"))
        let dispatcher = server.applying(Numbering(name: "a")), get = try request("GET")
        #expect(try await kind.text(of: get, by: dispatcher, in: folder).value == "text")
        #expect(await kind.text(of: get, by: dispatcher, in: folder).allUpdates.map(\.stage) == [.started, .received])
        #expect(server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "X-Number") } == ["a1", "a2"])
        #expect(server.exchanges.map(\.kind) == [kind, kind])
    }

    @Test("The last of several policies is the outermost, and a retry runs those inside it again")
    func order() async throws {
        let get = try request("GET"), retry = RetryPolicy.fixed(SkippingClock())
        let inside = scripted(.number(500)), outside = scripted(.number(500))
        _ = await inside.applying(Numbering(name: "a")).retrying(retry).dataFuture(from: get).statusOrError
        _ = await outside.retrying(retry).applying(Numbering(name: "a")).dataFuture(from: get).statusOrError
        func numbers(_ server: RecordingDispatcher<MockRouteTable>) -> [String?] {
            server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "X-Number") }
        }
        #expect(numbers(inside) == ["a1", "a2", "a3"] && numbers(outside) == ["a1", "a1", "a1"])
    }

    @Test("A policy sees the kind, and the text of an exchange shows no secret")
    func kinds() async throws {
        let folder = try TemporaryFolder(), log = EventLog(), file = folder.file("f")
        let dispatcher = scripted(.text("text")).applying(Noting(log: log))
        var secret = try request("POST", "https://user:word@example.com/a?token=secret")
        secret.setValue("secret", forHTTPHeaderField: "Authorization")
        _ = dispatcher.dataFuture(from: secret)
        _ = dispatcher.uploadFuture(from: secret, with: Data("secret".utf8))
        _ = dispatcher.uploadFuture(from: secret, with: .data(Data("secret".utf8)))
        _ = dispatcher.streamFuture(from: secret)
        let text = "POST https://<redacted>@example.com/a?token=<redacted>"
        #expect(log.events == ["data \(text)", "upload \(text)", "upload \(text)", "stream \(text)"])
        _ = dispatcher.downloadFuture(from: secret, to: file)
        _ = dispatcher.downloadFuture(from: secret, to: file, isResumable: true)
        #expect(log.events[4].contains("isResumable: false") && log.events[5].contains("isResumable: true"))
        var dumped = ""
        dump(dispatcher, to: &dumped)
        dump(scripted(.text("")).retrying(RetryPolicy.standard), to: &dumped)
        #expect(!dumped.contains("secret"))
        #expect("\(dispatcher)" == "PolicyDispatcher(RecordingDispatcher<MockRouteTable>, Noting)")
        #expect("\(RetryPolicy.standard)" == "RetryPolicy(3 attempts)")
    }

    @Test("isResumable passes through policies, recorders and existentials; a dispatcher without it loads all")
    func resumable() async throws {
        let log = EventLog(), get = try request("GET"), file = URL(filePath: "/tmp/f")
        let wrapped: [any DownloadDispatcher] = [
            Downloads(log: log), RecordingDispatcher(Downloads(log: log)), Downloads(log: log).retrying(),
            RecordingDispatcher(Downloads(log: log).applying(Noting(log: EventLog()))).retrying(),
        ]
        for dispatcher in wrapped {
            _ = await dispatcher.downloadFuture(from: get, to: file, isResumable: true).statusOrError
            #expect(log.events.last == "resumable true", "\(dispatcher)")
            _ = await dispatcher.retrying().downloadFuture(from: get, to: file, isResumable: true).statusOrError
            #expect(log.events.last == "resumable true", "\(dispatcher)")
        }
        let plain = PlainDownloads(log: log)
        _ = await plain.downloadFuture(from: get, to: file, isResumable: true).statusOrError
        #expect(log.events.last == "plain")
        _ = await RecordingDispatcher(plain).downloadFuture(from: get, to: file).statusOrError
        #expect(log.events.last == "plain")
    }

    @Test("A policy on a dispatcher of all four kinds is one too, concrete or existential")
    func allKinds() async throws {
        let folder = try TemporaryFolder(), get = try request("GET")
        let all: [any RequestDispatcher] = [
            URLRequestDispatcher(), scripted(.text("text")), scripted(.text("text")).retrying(),
            MockURLRequestDispatcher { Response.makeMockResponse(with: $0, statusCode: .ok) },
        ]
        let policies = all.map { $0.retrying() } + all.map { $0.applying(Numbering(name: "a")) }
        #expect(policies.count == 8)
        for kind in RecordedExchange.Kind.allCases {
            let server = scripted(.number(500), .text("text"))
            let dispatcher: any RequestDispatcher = server
            let retrying = dispatcher.retrying(.fixed(SkippingClock()))
            #expect(try await kind.text(of: get, by: retrying, in: folder).value == "text")
        }
        let data: any DataDispatcher = scripted(.number(500), .text("text"))
        #expect(await data.retrying(.fixed(SkippingClock())).dataFuture(from: get).statusOrError == "200")
        let stream: any StreamDispatcher = scripted(.number(500), .text("text"))
        #expect(await stream.retrying(.fixed(SkippingClock())).streamFuture(from: get).statusOrError == "200")
        let upload: any UploadDispatcher = scripted(.number(500), .text("text"))
        let sent = upload.retrying(.fixed(SkippingClock())).uploadFuture(from: get, with: Data())
        #expect(await sent.statusOrError == "200")
    }
}
