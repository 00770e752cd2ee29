import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Pages of a list", .timeLimit(.minutes(10)))
struct ResponsePagesTests {
    private let first: URLRequest

    init() throws {
        var first = try request("GET", "https://example.com/posts?page=1")
        first.setValue("Bearer a", forHTTPHeaderField: "Authorization")
        first.setValue("da", forHTTPHeaderField: "Accept-Language")
        self.first = first
    }

    private func page(_ text: String, next: String? = nil) -> MockAnswer {
        .text(text, headers: next.map { ["Link": "<\($0)>; rel=\"next\", </posts>; rel=first"] } ?? [:])
    }

    private func texts(_ pages: ResponsePages) async throws -> [String?] {
        try await pages.reduce(into: []) { $0.append($1.data.text) }
    }

    private func urls(_ server: RecordingDispatcher<MockRouteTable>) -> [String?] {
        server.exchanges.map { $0.urlRequest.url?.absoluteString }
    }

    @Test("COLD: each page is requested when the loop asks for it, and a page without a link is the last")
    func links() async throws {
        let server = scripted(page("a", next: "?page=2"), page("b", next: "/posts?page=3#x"), page("c"))
        let pages = server.pages(from: first)
        #expect(server.exchanges.isEmpty)
        var iterator = pages.makeAsyncIterator(), texts: [String?] = []
        while let page = try await iterator.next() {
            texts.append(page.data.text)
            #expect(server.exchanges.count == texts.count)
        }
        #expect(texts == ["a", "b", "c"])
        #expect(urls(server).map { $0?.last } == ["1", "2", "x"])
        #expect(server.exchanges.allSatisfy { $0.urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer a" })
        #expect(try await iterator.next() == nil && server.exchanges.count == 3)
    }

    @Test("Each iterator begins with the first page, and a loop that ends early requests no more")
    func iterators() async throws {
        let server = MockRouteTable(routes: [
            MockRoute(.get, ["posts"], MockScript([page("a", next: "?page=2")]))
        ])
        let recorder = RecordingDispatcher(server), pages = recorder.pages(from: first)
        for _ in 0..<2 {
            for try await page in pages {
                #expect(page.data.text == "a")
                break
            }
        }
        #expect(urls(recorder).map { $0?.suffix(1) } == ["1", "1"])
    }

    @Test("A link to another origin gets no headers with secrets, nor does the way back")
    func origins() async throws {
        let server = scripted(
            page("a", next: "https://other.example/2"), page("b", next: "https://example.com/3"), page("c"))
        #expect(try await texts(server.pages(from: first)) == ["a", "b", "c"])
        let requests = server.exchanges.map(\.urlRequest)
        #expect(requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer a", nil, nil])
        #expect(requests.map { $0.value(forHTTPHeaderField: "Accept-Language") } == ["da", "da", "da"])
    }

    @Test("A redirect to another origin has dropped the secrets for the pages after it")
    func redirected() async throws {
        let other = try request("GET", "https://other.example/posts")
        let server = scripted(
            MockAnswer { _, _ in
                Response.makeMockResponse(
                    with: other, statusCode: .ok, headers: ["Link": "<https://example.com/2>; rel=next"])
            }, page("b"))
        #expect(try await texts(server.pages(from: first)) == [nil, "b"])
        #expect(server.exchanges.last?.urlRequest.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test("After Post/Redirect/Get the next page is a GET without a body")
    func postRedirectGet() async throws {
        let server = try LoopbackServer.start()
        server.handle("POST", "/search", reply: .redirect(303, to: "/results"))
        server.handle("GET", "/results") { request in
            request.query == nil ? .text("a", headers: [LoopbackHeader("Link", "<?page=2>; rel=next")]) : .text("b")
        }
        var search = server.request("/search")
        search.httpMethod = "POST"
        search.httpBody = Data("q=a".utf8)
        search.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        search.setValue("da", forHTTPHeaderField: "Accept-Language")
        let pages = URLRequestDispatcher(configuration: .ephemeral).pages(from: search)
        #expect(try await texts(pages) == ["a", "b"])
        #expect(server.requests.map(\.method) == ["POST", "GET", "GET"])
        let last = try #require(server.requests.last)
        #expect(last.path == "/results" && last.query == "page=2" && last.body.isEmpty)
        #expect(last.header("Content-Type") == nil && last.header("Accept-Language") == "da")
    }

    @Test("After a redirect that keeps the method and the body the next page has them, too", arguments: [307, 308])
    func keptBody(status: Int) async throws {
        let server = try LoopbackServer.start()
        server.handle("POST", "/search", reply: .redirect(status, to: "/results"))
        server.handle("POST", "/results") { request in
            request.query == nil ? .text("a", headers: [LoopbackHeader("Link", "<?page=2>; rel=next")]) : .text("b")
        }
        var search = server.request("/search")
        search.httpMethod = "POST"
        search.httpBody = Data("q=a".utf8)
        let pages = URLRequestDispatcher(configuration: .ephemeral).pages(from: search)
        #expect(try await texts(pages) == ["a", "b"])
        #expect(server.requests.last?.method == "POST" && server.requests.last?.body == search.httpBody)
    }

    @Test(
        "A link to another origin gets no secrets of the configuration, nor does the way back",
        arguments: [true, false])
    func secretsOfTheConfiguration(isCached: Bool) async throws {
        let home = try LoopbackServer.start(), other = try LoopbackServer.start()
        func link(_ server: LoopbackServer, _ path: String, to next: URL) {
            let field = LoopbackHeader("Link", "<\(next.absoluteString)>; rel=next")
            server.handle("GET", path) { request in
                .text("\(request.header("Authorization") ?? "none") \(request.header("X-App") ?? "")", headers: [field])
            }
        }
        link(home, "/1", to: home.url("/2"))
        link(home, "/2", to: other.url("/3"))
        link(other, "/3", to: home.url("/4"))
        home.handle("GET", "/4") { .text("\($0.header("Authorization") ?? "none") \($0.header("X-App") ?? "")") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer a", "X-App": "Blog"]
        var dispatcher = URLRequestDispatcher(configuration: configuration)
        if isCached { dispatcher = dispatcher.cached(in: HTTPCache()) }
        let pages = dispatcher.pages(from: home.request("/1"))
        #expect(try await texts(pages) == ["Bearer a Blog", "Bearer a Blog", "none Blog", "none Blog"])
    }

    @Test("A page that was loaded already ends the loop with an error", arguments: ["?page=1", "?page=1#b", ""])
    func repeated(link: String) async throws {
        let server = scripted(page("a", next: link)), pages = server.pages(from: first)
        var iterator = pages.makeAsyncIterator()
        #expect(try await iterator.next()?.data.text == "a")
        let error = await #expect(throws: RepeatedPageError.self) { try await iterator.next() }
        #expect(error?.url?.query() == "page=1" && error?.method == "GET" && server.exchanges.count == 1)
        #expect(try await iterator.next() == nil)
    }

    @Test("A link to a file or the like is an error", arguments: ["file:///etc/passwd", "data:,a", "myapp://a"])
    func schemes(link: String) async throws {
        let server = scripted(page("a", next: link))
        await #expect(throws: InvalidRequestError.self) { try await texts(server.pages(from: first)) }
        #expect(server.exchanges.count == 1)
    }

    @Test("The next request of a closure: a cursor in the body, nil at the end, and its error")
    func closure() async throws {
        let server = scripted(.text("1"), .text("2"), .text("end")), first = first
        let pages = server.pages(from: first) { page in
            guard let cursor = page.data.text, cursor != "end" else { return nil }
            var next = first
            next.httpMethod = "POST"
            next.httpBody = Data(cursor.utf8)
            return next
        }
        #expect(try await texts(pages) == ["1", "2", "end"])
        #expect(server.exchanges.map { $0.body.data.text } == [nil, "1", "2"])
        await #expect(throws: Mishap.self) { try await texts(server.pages(from: first) { _ in throw Mishap() }) }
    }

    @Test("A page that a stream asks for isn't taken for an earlier one")
    func streams() async throws {
        let server = scripted(.text("1"), .text("2"), .text("end")), first = first
        let pages = server.pages(from: first) { page in
            guard let cursor = page.data.text, cursor != "end" else { return nil }
            var next = first
            next.httpMethod = "POST"
            next.httpBodyStream = InputStream(data: Data(cursor.utf8))
            return next
        }
        #expect(try await texts(pages) == ["1", "2", "end"])
    }

    @Test("A status other than 2xx is an error, and the sequence is over after it")
    func statuses() async throws {
        let server = scripted(page("a", next: "?page=2"), .text("no", status: .notFound))
        var iterator = server.pages(from: first).makeAsyncIterator()
        _ = try await iterator.next()
        let error = await #expect(throws: UnacceptableStatusError.self) { try await iterator.next() }
        #expect(error?.statusCode == .notFound && error?.bodyText == "no")
        #expect(try await iterator.next() == nil && server.exchanges.count == 2)
    }

    @Test("DOWN: cancelling the reading task cancels the request of its page")
    func cancelled() async throws {
        let engine = DirectedEngine(), first = first
        let pages = URLRequestDispatcher(engine: engine).pages(from: first)
        let task = Task { try await texts(pages) }
        await engine.started(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await engine.called(0, 1)
        #expect(engine.calls(0) == ["cancel"])
    }

    @Test("Its description has no secret, and its mirror nothing")
    func description() throws {
        let pages = scripted(page("a")).pages(from: try request("GET", "https://u:p@example.com/?token=secret&a=1"))
        #expect("\(pages)".hasPrefix("ResponsePages(https://") && !"\(pages)".contains("=secret"))
        #expect(Mirror(reflecting: pages).children.isEmpty)
        let any: any DataDispatcher = scripted(page("a"))
        #expect("\(any.pages(from: first))" == "ResponsePages(https://example.com/posts?page=1)")
    }
}
