import Foundation
import PiuPiu
import Testing

@Suite("What the end of a session's task means", .timeLimit(.minutes(10)))
struct SessionCourseTests {
    private let cancelled = URLError(.cancelled)

    private func kind(_ course: SessionCourse, _ error: URLError?) throws -> TransferError.Kind? {
        let failure = try course.failure(error, url: url("http://host/"))
        return try failure.map { try #require($0 as? TransferError).kind }
    }

    @Test("UP: the exchange's own cancellation is one, whatever the task says", arguments: [nil, URLError(.timedOut)])
    func cancellation(error: URLError?) throws {
        var course = SessionCourse()
        course.isCancelled = true
        course.refusal = .pinMismatch
        #expect(course.failure(error, url: nil) is CancellationError)
        #expect(course.failure(cancelled, url: nil) is CancellationError)
    }

    @Test("A task that nobody has cancelled is none")
    func strangeCancellation() throws {
        #expect(try kind(SessionCourse(), cancelled) == .other)
    }

    @Test(
        "A refused server or demand has its own kind",
        arguments: [TransferError.Kind.untrustedAuthority, .clientCertificateRequired])
    func refusal(kind: TransferError.Kind) throws {
        var course = SessionCourse()
        course.refusal = kind
        #expect(try self.kind(course, cancelled) == kind)
    }

    @Test("A challenge that was cancelled for lack of credentials leaves its response as the answer")
    func challenge() throws {
        var course = SessionCourse()
        course.isChallenged = true
        #expect(try kind(course, cancelled) == nil)
        #expect(try kind(course, URLError(.timedOut)) == .timedOut)
    }

    /// The error of an Apple platform for a connection that has ended.
    private func lost(streamDomain: Int, code: Int) -> URLError {
        let info: [String: Any] = ["_kCFStreamErrorDomainKey": streamDomain, "_kCFStreamErrorCodeKey": code]
        let beneath = NSError(domain: "Network", code: -1005, userInfo: info)
        return URLError(.networkConnectionLost, userInfo: [NSUnderlyingErrorKey: beneath])
    }

    @Test("A connection that was closed in order after the head leaves a truncated response; a reset is a lost one")
    func truncation() throws {
        let (closed, reset) = (lost(streamDomain: 4, code: -4), lost(streamDomain: 1, code: 54))
        var course = SessionCourse()
        #expect(try kind(course, closed) == .connectionLost)
        course.gotHead()
        #expect(try kind(course, closed) == .truncated)
        #expect(try kind(course, reset) == .connectionLost)
        #expect(try kind(course, URLError(.networkConnectionLost)) == .connectionLost)
        let failure = try #require(course.failure(closed, url: url("http://host/")) as? TransferError)
        #expect(failure.url != nil && failure.urlError?.code == .networkConnectionLost)
    }

    @Test(
        "No connection is one that was lost, if the server may have got the request",
        arguments: [URLError.Code.notConnectedToInternet, .dataNotAllowed, .cannotConnectToHost, .cannotFindHost])
    func begun(code: URLError.Code) throws {
        let error = URLError(code), fresh = SessionCourse()
        let unsent = try #require(fresh.failure(error, url: nil) as? TransferError)
        #expect(unsent.isUnsent)
        var (measured, sent, answered) = (fresh, fresh, fresh)
        measured.hasBegunRequest = true
        let isNews = sent.sent(1), isAgain = sent.sent(1)
        #expect(isNews && !isAgain)
        answered.gotHead()
        for course in [measured, sent, answered] { #expect(try kind(course, error) == .connectionLost) }
    }

    @Test("A wait for a network ends with the first sign of a connection")
    func network() {
        var course = SessionCourse()
        #expect(!course.isWaitingForNetwork)
        course.waitsForNetwork()
        #expect(course.isWaitingForNetwork)
        var other = course
        course.gotHead()
        #expect(!course.isWaitingForNetwork)
        _ = other.sent(7)
        #expect(!other.isWaitingForNetwork)
        // Too late.
        course.waitsForNetwork()
        other.waitsForNetwork()
        #expect(!course.isWaitingForNetwork && !other.isWaitingForNetwork)
    }

    @Test("STATUS: a complete task has an answer")
    func answer() throws {
        #expect(try kind(SessionCourse(), nil) == nil)
    }
}
