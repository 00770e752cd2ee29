import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The decisions of an exchange, hop by hop", .timeLimit(.minutes(10)))
struct TransferCourseTests {
    private func request(_ method: String = "GET", body: TransferBody = .none) throws -> TransferRequest {
        var request = URLRequest(url: try url("http://host/a"))
        request.httpMethod = method
        return TransferRequest(request, body: body)
    }

    private func head(_ status: Int, _ fields: (String, String)...) throws -> TransferEvent {
        .head(
            TransferHead(
                url: try url("http://host/a"), status: status, fields: fields.map { (name: $0.0, value: $0.1) }),
            request: try request().urlRequest)
    }

    private func running(_ request: TransferRequest) throws -> TransferCourse {
        var course = TransferCourse(request)
        _ = course.launch()
        return course
    }

    @Test func anExchangeRunsToItsEnd() throws {
        var course = try running(request())
        check(course.received(try head(200), of: 1).name, "tell head")
        check(course.received(.body(Data("x".utf8)), of: 1).name, "tell body")
        check(course.received(.body(Data()), of: 1).name, "nothing")
        check(course.received(.finished, of: 1).name, "end finished")
        check(course.received(.finished, of: 1).name, "nothing")
        #expect(course.launch() == nil)
    }

    @Test func interimHeadsAreSkipped() throws {
        var course = try running(request())
        check(course.received(try head(100), of: 1).name, "nothing")
        check(course.received(try head(103, ("Content-Length", "no number")), of: 1).name, "nothing")
        check(course.received(try head(200), of: 1).name, "tell head")
    }

    @Test("DOWN: nothing is delivered after an interruption")
    func interruption() throws {
        var course = try running(request())
        course.interrupt()
        check(course.received(try head(200), of: 1).name, "nothing")
        check(course.received(.finished, of: 1).name, "nothing")
        #expect(course.launch() == nil)
        #expect(course.isOver)
    }

    @Test("UPDATES: a part that an engine reports twice is reported once, and none after the head")
    func parts() throws {
        var course = try running(request("POST", body: .data(Data(count: 3))))
        check(course.received(.sent(bytes: 1, expected: 3), of: 1).name, "tell sent")
        check(course.received(.sent(bytes: 1, expected: 3), of: 1).name, "nothing")
        check(course.received(try head(200), of: 1).name, "tell head")
        check(course.received(.sent(bytes: 3, expected: 3), of: 1).name, "nothing")
    }

    @Test func noHeadIsAFailure() throws {
        var course = try running(request())
        check(course.received(.body(Data("x".utf8)), of: 1).name, "nothing")
        check(course.received(.finished, of: 1).kind, .badResponse)
    }

    @Test func aSecondHeadStartsOver() throws {
        var course = try running(request())
        check(course.received(try head(401, ("Content-Length", "1")), of: 1).name, "tell head")
        check(course.received(.body(Data("x".utf8)), of: 1).name, "tell body")
        check(course.received(try head(200, ("Content-Length", "1")), of: 1).name, "tell head")
        check(course.received(.finished, of: 1).kind, .truncated)
    }

    // MARK: Lengths

    @Test(
        "A body must have its announced length",
        arguments: [("GET", 200), ("POST", 404), ("HEAD", 200), ("GET", 204), ("GET", 304)])
    func truncation(method: String, status: Int) throws {
        var course = try running(request(method))
        _ = course.received(try head(status, ("Content-Length", "2")), of: 1)
        _ = course.received(.body(Data("x".utf8)), of: 1)
        let hasBody = method != "HEAD" && status != 204 && status != 304
        check(course.received(.finished, of: 1).kind, hasBody ? .truncated : nil)
    }

    @Test(
        "A field that names no coding leaves the length that of the body",
        arguments: ["", "none", "None", "identity", " identity, none ", ","], [true, false])
    func uncoded(coding: String, isLineByLine: Bool) throws {
        var course = try running(request())
        var head = TransferHead(
            url: try url("http://host/a"), status: 200, fields: [("Content-Length", "2"), ("Content-Encoding", coding)])
        if !isLineByLine { head = TransferHead(head.urlResponse) }
        _ = course.received(.head(head, request: try request().urlRequest), of: 1)
        _ = course.received(.body(Data("x".utf8)), of: 1)
        check(course.received(.finished, of: 1).kind, .truncated)
    }

    @Test func theLengthOfACodedBodyIsAnotherOne() throws {
        var course = try running(request())
        _ = course.received(try head(200, ("content-length", "200"), ("Content-Encoding", "gzip")), of: 1)
        check(course.received(.finished, of: 1).name, "end finished")
    }

    @Test(
        "An invalid length, or two different ones, is a bad response",
        arguments: [["9223372036854775808"], ["5", "6"], ["5, 6"], ["-1"], ["+5"], ["5x"], [""], ["5,"]])
    func invalidLengths(lengths: [String]) throws {
        var course = try running(request())
        let fields = lengths.map { (name: "Content-Length", value: $0) }
        let head = TransferHead(url: try url("http://host/a"), status: 200, fields: fields)
        let step = course.received(.head(head, request: try request().urlRequest), of: 1)
        #expect(step.kind == .badResponse)
        #expect(step.cancels)
    }

    @Test("The same length given several times counts once", arguments: [["5"], ["5", "5"], ["5, 5"], [" 5 "]])
    func sameLengths(lengths: [String]) throws {
        let fields = lengths.map { (name: "Content-Length", value: $0) }
        let head = TransferHead(url: try url("http://host/a"), status: 200, fields: fields)
        var course = try running(request())
        _ = course.received(.head(head, request: try request().urlRequest), of: 1)
        _ = course.received(.body(Data(count: 5)), of: 1)
        check(course.received(.finished, of: 1).name, "end finished")
    }

    // MARK: Redirects

    @Test("A redirect is followed after its body has arrived, and the body is discarded")
    func redirect() throws {
        var course = try running(request())
        check(course.received(try head(302, ("Location", "/b"), ("Content-Length", "4")), of: 1).name, "drain")
        #expect(course.isDraining)
        check(course.received(.body(Data("gone".utf8)), of: 1).name, "nothing")
        let step = course.received(.finished, of: 1)
        #expect(step.next?.urlRequest.url?.absoluteString == "http://host/b")
        #expect(!step.cancels)
        let launched = course.launch()
        #expect(launched?.hop == 2)
        // Late events of the hop before are ignored.
        check(course.received(try head(200), of: 1).name, "nothing")
        check(course.received(try head(200), of: 2).name, "tell head")
        check(course.received(.finished, of: 2).name, "end finished")
    }

    @Test("A redirect that ends twice is followed once", arguments: [true, false])
    func twoEnds(fails: Bool) throws {
        var course = try running(request())
        _ = course.received(try head(302, ("Location", "/b")), of: 1)
        #expect(course.received(.finished, of: 1).next != nil)
        let second = fails ? TransferEvent.failed(TransferError(.connectionLost)) : .finished
        check(course.received(second, of: 1).name, "nothing")
        #expect(course.launch()?.request.urlRequest.url?.path() == "/b")
    }

    @Test("A redirect whose body is long, or breaks off, is followed at once")
    func bodiesOfRedirects() throws {
        var announced = try running(request())
        let long = ("Content-Length", String(TransferCourse.redirectBodyLimit + 1))
        let step = announced.received(try head(302, ("Location", "/b"), long), of: 1)
        #expect(step.next != nil && step.cancels)
        check(announced.received(.finished, of: 1).name, "nothing")

        var endless = try running(request())
        check(endless.received(try head(302, ("Location", "/b")), of: 1).name, "drain")
        let whole = Data(count: Int(TransferCourse.redirectBodyLimit))
        check(endless.received(.body(whole), of: 1).name, "nothing")
        #expect(endless.received(.body(Data(count: 1)), of: 1).cancels)

        var broken = try running(request())
        _ = broken.received(try head(302, ("Location", "/b")), of: 1)
        #expect(broken.received(.failed(TransferError(.connectionLost)), of: 1).next != nil)
    }

    @Test func theLimitOfRedirectsIsTwenty() throws {
        var course = try running(request())
        for hop in 1...TransferRequest.redirectLimit {
            _ = course.received(try head(302, ("Location", "/\(hop)")), of: hop)
            #expect(course.received(.finished, of: hop).next != nil)
            _ = course.launch()
        }
        let step = course.received(try head(302, ("Location", "/21")), of: TransferRequest.redirectLimit + 1)
        #expect(step.kind == .tooManyRedirects)
        #expect(step.cancels)
    }

    @Test func aRedirectThatCannotBeFollowedIsAFailure() throws {
        var foreign = try running(request())
        check(foreign.received(try head(302, ("Location", "ftp://host/")), of: 1).kind, .unsupportedURL)
        let chunks = TransferChunks(AsyncStream<Data> { $0.finish() })
        var once = try running(request("POST", body: .chunks(chunks)))
        check(once.received(try head(307, ("Location", "/b")), of: 1).kind, .unreadableBody)
    }

    @Test func theBodyGoesAlongWithItsMethod() throws {
        for (status, keeps) in [(301, false), (302, false), (303, false), (307, true), (308, true)] {
            var course = try running(request("POST", body: .data(Data("x".utf8))))
            _ = course.received(try head(status, ("Location", "/b")), of: 1)
            let next = try #require(course.received(.finished, of: 1).next)
            #expect(next.urlRequest.httpMethod == (keeps ? "POST" : "GET"))
            if case .data = next.body { #expect(keeps) } else { #expect(!keeps) }
        }
    }
}

extension TransferCourse.Step {
    fileprivate var name: String {
        switch self {
        case .nothing: "nothing"
        case .drain: "drain"
        case .deliver(let event): "tell \(event.name)"
        case .goOn: "goOn"
        case .ask: "ask"
        case .end(let event, _): "end \(event.name)"
        }
    }

    fileprivate var kind: TransferError.Kind? {
        if case .end(.failed(let error), _) = self { (error as? TransferError)?.kind } else { nil }
    }

    fileprivate var next: TransferRequest? {
        if case .goOn(let next, _) = self { next } else { nil }
    }

    fileprivate var cancels: Bool {
        switch self {
        case .goOn(_, let cancels), .end(_, let cancels): cancels
        case .nothing, .drain, .deliver, .ask: false
        }
    }
}

extension TransferEvent {
    fileprivate var name: String {
        switch self {
        case .sent: "sent"
        case .head: "head"
        case .body: "body"
        case .measured: "measured"
        case .finished: "finished"
        case .failed: "failed"
        }
    }
}
