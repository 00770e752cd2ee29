import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends the caller's body in capitals.
private struct Capitals: DispatcherPolicy {
    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        ResponseFuture<Data> { try await exchange.body.collected() }
            .flatMap { data in
                let body = Data(String(decoding: data, as: UTF8.self).uppercased().utf8)
                var request = exchange.urlRequest
                request.httpBody = body
                return exchange.makeFuture(from: request, with: .data(body))
            }
    }
}

/// Sends another body in the request, and another one beside it, if there is one.
private struct Replacing: DispatcherPolicy {
    var body: TransferBody?

    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        var request = exchange.urlRequest
        request.httpBody = Data("request".utf8)
        guard let body else { return exchange.makeFuture(from: request) }
        return exchange.makeFuture(from: request, with: body)
    }
}

@Suite("Policies that replace the body", .timeLimit(.minutes(10)))
struct ReplacedBodyTests {
    private let put: URLRequest
    private let folder: TemporaryFolder
    /// Answers with the body that it was sent.
    private let echo = MockURLRequestDispatcher { request in
        Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
    }

    init() throws {
        var put = try request("PUT")
        put.httpBody = Data("own".utf8)
        self.put = put
        folder = try TemporaryFolder()
    }

    /// Chunks that come once.
    private func stream(_ text: String) -> TransferChunks {
        TransferChunks(
            AsyncStream { continuation in
                continuation.yield(Data(text.utf8))
                continuation.finish()
            })
    }

    @Test("The new body of data is sent, and that of an upload of data, of a file, of chunks and of a request's own")
    func everyKind() async throws {
        let dispatcher = echo.applying(Capitals()), file = try folder.file("f", containing: "file")
        #expect(try await dispatcher.dataFuture(from: put).value.data.text == "OWN")
        #expect(try await dispatcher.uploadFuture(from: put, with: Data("data".utf8)).value.data.text == "DATA")
        #expect(try await dispatcher.uploadFuture(from: put, with: .data(Data("body".utf8))).value.data.text == "BODY")
        #expect(try await dispatcher.uploadFuture(from: put, withFile: file).value.data.text == "FILE")
        #expect(try await dispatcher.uploadFuture(from: put, with: .chunks(stream("parts"))).value.data.text == "PARTS")
        #expect(try await dispatcher.uploadFuture(from: put).value.data.text == "OWN")
    }

    @Test("An upload of data can become one of a file, of chunks, or without a body")
    func otherKind() async throws {
        let file = try folder.file("f", containing: "file")
        let bodies: [(TransferBody, String?)] = [
            (.data(Data("data".utf8)), "data"), (.file(file), "file"), (.chunks(stream("chunks")), "chunks"),
            (.none, nil),
        ]
        for (body, text) in bodies {
            let dispatcher = echo.applying(Replacing(body: body))
            #expect(try await dispatcher.uploadFuture(from: put, with: Data("old".utf8)).value.data.text == text)
        }
    }

    @Test("Without another body an upload keeps its own, and data and streams have that of the request in any case")
    func requestAlone() async throws {
        let keeping = echo.applying(Replacing()), replacing = echo.applying(Replacing(body: .data(Data("new".utf8))))
        #expect(try await keeping.uploadFuture(from: put, with: Data("old".utf8)).value.data.text == "old")
        #expect(try await keeping.uploadFuture(from: put, with: .chunks(stream("old"))).value.data.text == "old")
        for kind in [RecordedExchange.Kind.data, .download, .stream] {
            #expect(try await kind.text(of: put, by: keeping, in: folder).value == "request")
            #expect(try await kind.text(of: put, by: replacing, in: folder).value == "request")
        }
    }

    @Test("R8 BODY: a retry around it sends the new body with each attempt")
    func retried() async throws {
        let server = scripted(.number(500), .text("text"))
        let dispatcher = server.applying(Capitals()).retrying(.fixed(SkippingClock()))
        #expect(await dispatcher.uploadFuture(from: put, with: Data("data".utf8)).statusOrError == "200")
        #expect(server.exchanges.map(\.body.data.text) == ["DATA", "DATA"])
    }
}
