import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The decisions of an event source", .timeLimit(.minutes(10)))
struct EventSourceCourseTests {
    private let get: URLRequest

    init() throws {
        get = try fixtureRequest("https://example.com/events")
    }

    private func header(_ name: String, of request: URLRequest) -> String? { request.value(forHTTPHeaderField: name) }

    private func response(_ status: Int, _ type: String?) -> Response<Data?> {
        Response.makeMockResponse(
            with: get, data: nil, statusCode: StatusCode(rawValue: status),
            headers: type.map { ["Content-Type": $0] } ?? [:])
    }

    /// The wait before the next connection, after an error or the end of a response.
    private func wait(
        _ course: inout EventSourceCourse, after error: (any Error)? = nil, random: Double = 0.5
    ) throws -> Duration? {
        guard case .wait(let delay, _) = try course.lost(error, random: { random }) else { return nil }
        return delay
    }

    @Test("A Last-Event-ID of the request is sent until the server has one, or has removed it")
    func identifierOfTheRequest() {
        var own = get
        own.setValue("5", forHTTPHeaderField: "Last-Event-ID")
        var course = EventSourceCourse()
        course.received(ServerSentEvent(data: "a"))
        course.ended(lastEventID: "", retry: nil)
        #expect(header("Last-Event-ID", of: course.request(from: own)) == "5")
        course.received(ServerSentEvent(data: "b", id: "9"))
        #expect(header("Last-Event-ID", of: course.request(from: own)) == "9")
        course.received(ServerSentEvent(data: "c", id: "a\u{1}"))
        #expect(header("Last-Event-ID", of: course.request(from: own)) == nil)
        for count in [4_096, 4_097] {
            course.received(ServerSentEvent(data: "d", id: String(repeating: "9", count: count)))
            #expect((header("Last-Event-ID", of: course.request(from: own)) != nil) == (count == 4_096))
        }
        course.received(ServerSentEvent(data: "d"))
        #expect(header("Last-Event-ID", of: course.request(from: own)) == nil)
    }

    @Test("The request has the headers that the standard requires, and keeps its own")
    func request() {
        let first = EventSourceCourse().request(from: get)
        #expect(header("Accept", of: first) == "text/event-stream" && header("Cache-Control", of: first) == "no-store")
        #expect(header("Last-Event-ID", of: first) == nil)
        var own = get
        own.setValue("text/event-stream, */*", forHTTPHeaderField: "accept")
        own.setValue("Bearer 7", forHTTPHeaderField: "Authorization")
        own.httpMethod = "POST"
        let second = EventSourceCourse(lastEventID: "ü 7").request(from: own)
        #expect(header("Accept", of: second) == "text/event-stream, */*")
        #expect(header("Authorization", of: second) == "Bearer 7" && second.httpMethod == "POST")
        #expect(header("Last-Event-ID", of: second) == "ü 7")
        for harmful in ["", "a\r\nX: y", "a\nb", "a\rb", "a\0b"] {
            #expect(header("Last-Event-ID", of: EventSourceCourse(lastEventID: harmful).request(from: get)) == nil)
        }
    }

    @Test("The server's last identifier is sent, unless it is empty")
    func identifiers() {
        var course = EventSourceCourse(lastEventID: "1")
        course.received(ServerSentEvent(data: "", id: "2"))
        #expect(header("Last-Event-ID", of: course.request(from: get)) == "2")
        course.ended(lastEventID: "3", retry: nil)
        #expect(header("Last-Event-ID", of: course.request(from: get)) == "3")
        course.received(ServerSentEvent(data: ""))
        #expect(header("Last-Event-ID", of: course.request(from: get)) == nil && course.lastEventID.isEmpty)
    }

    @Test(
        "An identifier that no header can have is kept, and not sent",
        arguments: ["\u{1}", "a\u{1F}", "\u{85}", "\u{7F}"])
    func unsendableIdentifiers(identifier: String) {
        var course = EventSourceCourse()
        course.received(ServerSentEvent(data: "", id: identifier))
        #expect(course.lastEventID == identifier)
        #expect(header("Last-Event-ID", of: course.request(from: get)) == nil)
    }

    @Test("200 with the content type is a connection, whatever its parameters; 204 is the end")
    func answers() throws {
        var course = EventSourceCourse()
        for type in ["text/event-stream", "text/event-stream;charset=utf-8", "Text/Event-Stream ; a=b"] {
            #expect(try course.answered(response(200, type)))
        }
        #expect(try !course.answered(response(204, nil)) && !course.answered(response(204, "text/html")))
        for status in [199, 201, 205, 206, 301, 304, 401, 404, 429, 500, 503] {
            let error = #expect(throws: UnacceptableStatusError.self) {
                _ = try course.answered(response(status, "text/event-stream"))
            }
            #expect(error?.statusCode.rawValue == status)
        }
        for type in ["text/html", "text/event-streams", "text", "application/json; text/event-stream"] {
            let error = #expect(throws: EventSourceError.self) { _ = try course.answered(response(200, type)) }
            #expect(error == EventSourceError(contentType: type, method: "GET", url: get.url), "\(type)")
        }
        #expect(throws: EventSourceError.self) { _ = try course.answered(response(200, nil)) }
    }

    @Test("After a passing error it connects again; other errors end it", arguments: TransferError.Kind.allCases)
    func errors(kind: TransferError.Kind) throws {
        var course = EventSourceCourse()
        let passing: Set<TransferError.Kind> = [
            .cannotConnect, .hostNotFound, .timedOut, .connectionLost, .truncated, .badResponse,
            .tooManyStreams,
        ]
        if passing.contains(kind) {
            #expect(try wait(&course, after: TransferError(kind)) == .milliseconds(1500))
        } else {
            #expect(throws: TransferError.self) { try wait(&course, after: TransferError(kind)) }
        }
    }

    @Test("After an error of a policy it connects again: an open circuit, a full line, the deadline of a connection")
    func policies() throws {
        let errors: [any Error] = [
            CircuitOpenError(retryAfter: .seconds(7)), LineFullError(maximumWaiting: 7),
            DeadlineExceeded(get, limit: .seconds(7), stage: .receiving),
        ]
        for error in errors {
            var course = EventSourceCourse()
            #expect(try wait(&course, after: error) == .milliseconds(1500))
        }
    }

    @Test("D3 NOTHING: it ends instead of a wait that would reach the deadline of the task")
    func deadline() throws {
        let missed = DeadlineExceeded(get, limit: .seconds(7), stage: .waiting)
        let connection = DeadlineExceeded(get, limit: .seconds(1), stage: .receiving)
        let lost = TransferError(.connectionLost)
        func wait(after error: (any Error)?, timeLeft: Duration) throws -> Duration? {
            var course = EventSourceCourse()
            let deadline = (timeLeft: timeLeft, error: missed)
            guard case .wait(let delay, _) = try course.lost(error, deadline: deadline, random: { 0.5 }) else {
                return nil
            }
            return delay
        }
        for error in [nil, lost, connection] as [(any Error)?] {
            #expect(try wait(after: error, timeLeft: .milliseconds(1501)) == .milliseconds(1500))
        }
        for timeLeft in [Duration.milliseconds(1500), .zero] {
            #expect(throws: missed) { try wait(after: nil, timeLeft: timeLeft) }
            #expect(throws: TransferError.self) { try wait(after: lost, timeLeft: timeLeft) }
            #expect(throws: connection) { try wait(after: connection, timeLeft: timeLeft) }
        }
    }

    @Test("Other errors, of validation and parsing too, end it; a cancellation stays one after any error")
    func otherErrors() throws {
        var course = EventSourceCourse()
        #expect(try wait(&course, after: URLError(.networkConnectionLost)) != nil)
        #expect(throws: URLError.self) { try wait(&course, after: URLError(.serverCertificateUntrusted)) }
        #expect(throws: Mishap(number: 7)) { try wait(&course, after: Mishap(number: 7)) }
        #expect(throws: StreamLimitError.self) { try wait(&course, after: StreamLimitError.lineTooLong(limit: 7)) }
        let refused = try #require(UnacceptableStatusError(response(503, nil)))
        #expect(throws: UnacceptableStatusError.self) { try wait(&course, after: refused) }
        #expect(throws: CancellationError.self) {
            _ = try course.lost(TransferError(.timedOut), isCancelled: true) { 0.5 }
        }
        #expect(throws: CancellationError.self) { _ = try course.lost(nil, isCancelled: true) { 0.5 } }
        #expect(throws: CancellationError.self) { try wait(&course, after: CancellationError()) }
    }

    @Test("R4 JITTER: a random part of the base, doubled with each failed attempt, up to the maximum")
    func backOff() throws {
        var course = EventSourceCourse()
        let waits = try (0..<6).map { _ in try wait(&course, random: 0.5) }
        #expect(waits == [.milliseconds(1500), .seconds(3), .seconds(6), .seconds(10), .seconds(10), .seconds(10)])
        #expect(try wait(&course, random: 0) == .zero)
        #expect(try course.answered(response(200, "text/event-stream")))
        #expect(try wait(&course, random: 0.999) == .milliseconds(2997))
        var own = EventSourceCourse(reconnectionTime: .seconds(1), maximumDelay: .seconds(2))
        #expect(try (0..<3).map { _ in try wait(&own) } == [.milliseconds(500), .seconds(1), .seconds(1)])
        for _ in 0..<10_000 { _ = try wait(&own) }
        #expect(try wait(&own) == .seconds(1))
        for maximum in [Duration.zero, .seconds(-1)] {
            var least = EventSourceCourse(maximumDelay: maximum)
            #expect(try (0..<2).map { _ in try wait(&least) } == [.milliseconds(25), .milliseconds(25)])
        }
    }

    @Test("The server's time is the minimum wait, and the base of the jitter")
    func retry() throws {
        var course = EventSourceCourse()
        course.received(ServerSentEvent(data: "", retry: .seconds(4)))
        #expect(try wait(&course, random: 0) == .seconds(4))
        #expect(try wait(&course) == .seconds(8))
        course.ended(lastEventID: "", retry: .milliseconds(100))
        #expect(try course.answered(response(200, "text/event-stream")))
        #expect(try wait(&course) == .milliseconds(150))
        // Without a new time the old one stays.
        course.ended(lastEventID: "", retry: nil)
        #expect(try wait(&course) == .milliseconds(200))
        // No server can make its clients reconnect without a wait.
        course.ended(lastEventID: "", retry: .zero)
        #expect(try course.answered(response(200, "text/event-stream")))
        #expect(try wait(&course) == .milliseconds(25))
    }

    @Test("However long a time is, the wait stays within a clock's range")
    func saturation() throws {
        for time in [Duration.milliseconds(Int64.max), .seconds(1 << 40), .seconds(-5)] {
            var course = EventSourceCourse(reconnectionTime: time, maximumDelay: time)
            for _ in 0..<100 {
                let delay = try #require(try wait(&course, random: 0.999))
                #expect(delay >= .zero && delay <= .seconds(1 << 31))
            }
            course.ended(lastEventID: "", retry: .milliseconds(Int64.max))
            #expect(try wait(&course, random: 0.999) == .seconds(1 << 31))
        }
    }
}
