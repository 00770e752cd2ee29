import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("PiuPiu 1.4: the examples of the README", .timeLimit(.minutes(10)))
struct ExamplesOf14Tests {
    @available(*, deprecated)
    private var screen: ScreenOf14 { ScreenOf14(dispatcher: mockOf14()) }

    @available(*, deprecated)
    @Test("MAIN, ORDER response and completion, and the error that a status stands for")
    func request() async {
        let screen = screen
        await untilDone { done in screen.makeRequest(done: done) }
        #expect(screen.journal.lines == ["response 1", "completion"])
        let failing = ScreenOf14(
            dispatcher: MockURLRequestDispatcher { request in
                Response.makeMockResponse(with: request, statusCode: .notFound)
            })
        await untilDone { done in failing.makeRequest(done: done) }
        #expect(failing.journal.lines == ["error notFound", "completion"])
    }

    @available(*, deprecated)
    @Test("A thrown ResponseError.notFound is caught by that name")
    func notFound() async {
        let screen = screen
        await untilDone { done in screen.showPost(id: 100, done: done) }
        await untilDone { done in screen.showPost(id: 1, done: done) }
        #expect(screen.journal.lines == ["no such post", "post Some post"])
    }

    @available(*, deprecated)
    @Test("replace and join without a type, in series and in parallel, chosen by the closure's parameters")
    func chains() async throws {
        let screen = screen
        await untilDone { done in screen.chain(done: done) }
        #expect(screen.journal.lines == ["*Some post* by Kevin"])
        let (posts, users) = try await screen.joinInParallel().value
        #expect(posts.map(\.id) == [123] && users.map(\.name) == ["Kevin"])
        let (post, user) = try await screen.joinInSeriesUnlessGone().value
        #expect(post.userId == user.id)
    }

    @available(*, deprecated)
    @Test("nil from join cancels the chain")
    func gone() async {
        var screen: ScreenOf14? = screen
        let future = screen?.joinInSeriesUnlessGone()
        screen = nil
        await #expect(throws: CancellationError.self) { try await future?.value }
    }

    @available(*, deprecated)
    @Test("Uploads and downloads in memory, and their progress")
    func transfers() async {
        let screen = screen
        await untilDone { done in screen.transfer(done: done) }
        let size = screen.journal.lines.last.map { $0.split(separator: " ") }
        #expect(size?.count == 2 && size?.first == size?.last && size?.first != "0")
        #expect(screen.journal.lines.filter { $0 == "at 1.0" }.count == 1)
        #expect(screen.journal.lines.dropLast().last == "at 1.0")
    }

    @available(*, deprecated)
    @Test("Bodies, and a request that is made at the start")
    func encoding() async throws {
        let post = Post(id: 1, userId: 2, title: "a", body: "b")
        let body = try #require(try screen.encode(post).httpBody)
        #expect(try JSONDecoder().decode(Post.self, from: body) == post)
        #expect(try await screen.upload(post).value.urlRequest.httpMethod == "POST")
    }

    @available(*, deprecated)
    @Test("Extensions under the generic name T")
    func genericName() async throws {
        let screen = screen
        #expect(try await screen.dispatcher.dataFuture(from: screen.request).post.value.id == 1)
    }

    @available(*, deprecated)
    @Test("Transforms with the methods of 1.4")
    func transforms() throws {
        let json = Data(#"{"startDate":"1970-01-01T00:00:07Z"}"#.utf8)
        let model = try JSONDecoder().decode(DatedModel.self, from: json)
        #expect(model.startDate == Date(timeIntervalSince1970: 7))
        #expect(try JSONEncoder().encode(model).count == json.count)
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy"
        let transform = TextDateTransform(formatter: formatter)
        #expect(try transform.toJSON(transform.from(json: "2019", codingPath: []), codingPath: []) == "2019")
    }
}
