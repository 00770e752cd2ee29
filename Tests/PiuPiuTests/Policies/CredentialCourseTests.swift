import PiuPiu
import TestSupport
import Testing

@Suite("Decisions on a credential", .timeLimit(.minutes(10)))
struct CredentialCourseTests {
    private typealias Course = CredentialCourse<Int>
    private let bound = CredentialCourse<Int>.Bound(count: 5, period: .seconds(30))

    private func begin(
        _ course: inout Course, since first: Int? = nil, expired: Int? = nil, now: Int = 0
    ) -> (String, Course.Refresh?) {
        let answer = course.begin(since: first, expired: expired, within: bound, now: .seconds(now))
        return (word(answer.step), answer.refresh)
    }

    private func reject(
        _ course: inout Course, sent: Int, failures: Int = 0, canSendAgain: Bool = true, now: Int = 0
    ) -> (String, Course.Refresh?) {
        let answer = course.reject(
            sent: sent, failures: failures, canSendAgain: canSendAgain, within: bound, now: .seconds(now))
        return (word(answer.step), answer.refresh)
    }

    private func word(_ step: Course.Step) -> String {
        switch step {
        case .send: "send"
        case .wait: "wait"
        case .deliver: "deliver"
        case .fail(let error): "fail \(error)"
        case .refuse: "refuse"
        case .giveUp: "give up"
        }
    }

    private func word(_ change: Course.Change) -> String {
        switch change {
        case .nothing: "nothing"
        case .replaced: "replaced"
        case .removed: "removed"
        case .failed(let error): "failed \(error)"
        }
    }

    @Test("A1 GENERATION, A2 SINGLE: one refresh per generation; an older request is sent again without one")
    func single() throws {
        var course = Course(.held(1))
        #expect(begin(&course) == ("send", nil))
        let first = reject(&course, sent: 0)
        let refresh = try #require(first.1)
        #expect(first.0 == "wait" && refresh.generation == 0)
        #expect(reject(&course, sent: 0) == ("wait", nil) && begin(&course) == ("wait", nil))
        #expect(word(course.end(refresh, with: .success(2))) == "replaced")
        #expect(course.generation == 1 && course.credential == 2)
        #expect(reject(&course, sent: 0) == ("send", nil) && begin(&course) == ("send", nil))
        #expect(word(course.end(refresh, with: .success(3))) == "nothing" && course.credential == 2)
        #expect(reject(&course, sent: 1).1?.generation == 1)
    }

    @Test("A1 GENERATION, A2 SINGLE: an older request waits while the current credential is being refreshed")
    func lateRejection() throws {
        var course = Course(.held(1))
        _ = course.end(try #require(reject(&course, sent: 0).1), with: .success(2))
        let refresh = try #require(reject(&course, sent: 1).1)
        #expect(reject(&course, sent: 0) == ("wait", nil))
        #expect(reject(&course, sent: 0, canSendAgain: false) == ("deliver", nil))
        _ = course.end(refresh, with: .success(3))
        #expect(reject(&course, sent: 0) == ("send", nil))
        let failing = try #require(reject(&course, sent: 2).1)
        _ = course.end(failing, with: .failure(Mishap()))
        #expect(reject(&course, sent: 0) == ("send", nil), "the server decides")
    }

    @Test("A3 SURVIVE: a refresh that timed out still brings its credential, unless there is a newer one")
    func late() throws {
        var course = Course(.held(1))
        let first = try #require(reject(&course, sent: 0).1)
        #expect(word(course.end(first, with: .failure(Mishap()))) == "failed Mishap(number: 0)")
        let second = try #require(reject(&course, sent: 0, failures: 1).1)
        #expect(word(course.end(first, with: .failure(Mishap(number: 1)))) == "nothing")
        #expect(word(course.end(first, with: .success(2))) == "replaced" && course.credential == 2)
        #expect(word(course.end(second, with: .success(3))) == "nothing" && course.credential == 2)
        #expect(word(course.end(second, with: .failure(Mishap()))) == "nothing")
        #expect(begin(&course) == ("send", nil))
    }

    @Test("A4 FAILED: requests begun before the failure fail too, later ones refresh again")
    func failed() throws {
        var course = Course(.held(1))
        let refresh = try #require(reject(&course, sent: 0).1)
        #expect(word(course.end(refresh, with: .failure(Mishap()))) == "failed Mishap(number: 0)")
        #expect(course.failureCount == 1)
        #expect(reject(&course, sent: 0, failures: 0) == ("fail Mishap(number: 0)", nil))
        #expect(reject(&course, sent: 0, failures: 0, canSendAgain: false) == ("deliver", nil))
        let again = reject(&course, sent: 0, failures: 1)
        #expect(again.0 == "wait" && again.1 != nil)
        #expect(reject(&course, sent: 0, failures: 0) == ("wait", nil), "a refresh is in flight")
        _ = course.replace(with: 5)
        #expect(reject(&course, sent: 0, failures: 0) == ("send", nil))
        #expect(reject(&course, sent: 1, failures: 0).1 != nil, "a new credential has not failed")
    }

    @Test("A7 BOUND: five refreshes in 30 seconds, counted from their starts")
    func boundary() throws {
        var course = Course(.held(0))
        for number in 0..<5 {
            let refresh = try #require(reject(&course, sent: number, now: number).1)
            _ = course.end(refresh, with: .success(number))
        }
        #expect(reject(&course, sent: 5, now: 29) == ("refuse", nil))
        #expect(reject(&course, sent: 5, canSendAgain: false, now: 29) == ("deliver", nil))
        #expect(begin(&course, expired: 5, now: 29) == ("send", nil), "the server decides")
        let sixth = try #require(reject(&course, sent: 5, now: 30).1)
        _ = course.end(sixth, with: .success(6))
        #expect(reject(&course, sent: 6, now: 30).0 == "refuse" && reject(&course, sent: 6, now: 31).0 == "wait")
    }

    @Test("STATUS: without a refresh a rejection is the response, and a credential is sent although it expires")
    func withoutRefresh() {
        var course = Course(.held(1))
        let rejected = course.reject(sent: 0, failures: 0, canSendAgain: true, within: nil, now: .zero)
        #expect(word(rejected.step) == "deliver" && rejected.refresh == nil)
        let early = course.begin(since: nil, expired: 0, within: nil, now: .zero)
        #expect(word(early.step) == "send" && early.refresh == nil)
        _ = course.replace(with: 2)
        let older = course.reject(sent: 0, failures: 0, canSendAgain: true, within: nil, now: .zero)
        #expect(word(older.step) == "send" && older.refresh == nil)
    }

    @Test("A8 SESSION: a sign-in or a sign-out starts a generation, and a late refresh is discarded")
    func session() throws {
        var course = Course(.held(1))
        let refresh = try #require(reject(&course, sent: 0).1)
        #expect(word(course.replace(with: nil)) == "removed" && course.credential == nil)
        #expect(word(course.end(refresh, with: .success(2))) == "nothing" && course.credential == nil)
        #expect(word(course.end(refresh, with: .failure(Mishap()))) == "nothing" && course.failureCount == 0)
        #expect(begin(&course) == ("send", nil) && reject(&course, sent: 0) == ("deliver", nil))
        #expect(reject(&course, sent: 1) == ("deliver", nil))
        #expect(word(course.replace(with: 7)) == "replaced" && course.generation == 2)
        #expect(reject(&course, sent: 0) == ("deliver", nil), "it was sent for the user who signed out")
        #expect(reject(&course, sent: 1) == ("send", nil))
        let other = try #require(reject(&course, sent: 2).1)
        _ = course.replace(with: 8)
        #expect(word(course.end(other, with: .success(2))) == "nothing" && course.credential == 8)
        #expect(begin(&course) == ("send", nil))
    }

    @Test("A8 SESSION: another attempt is sent after a refresh or a sign-in, but not after a sign-out")
    func attempts() throws {
        var course = Course(.held(1))
        _ = course.end(try #require(reject(&course, sent: 0).1), with: .success(2))
        _ = course.replace(with: 3)
        #expect(begin(&course, since: 0) == ("send", nil) && begin(&course, since: 2) == ("send", nil))
        _ = course.replace(with: nil)
        #expect(begin(&course, since: 2) == ("give up", nil), "also without the next user")
        #expect(begin(&course, since: 3) == ("send", nil), "it began after the sign-out")
        _ = course.replace(with: 4)
        #expect(begin(&course, since: 2, expired: 4) == ("give up", nil), "and without a refresh")
        #expect(begin(&course, since: 3) == ("send", nil) && begin(&course) == ("send", nil))
    }

    @Test("A8 SESSION: a sign-out of nobody changes nothing, but what was to be obtained isn't obtained after it")
    func nobody() throws {
        var course = Course(.none)
        #expect(word(course.replace(with: nil)) == "nothing" && course.generation == 0)
        #expect(begin(&course, since: 0) == ("send", nil))
        _ = course.replace(with: 1)
        #expect(reject(&course, sent: 0) == ("send", nil), "sent before the first sign-in")
        #expect(word(course.replace(with: nil)) == "removed" && course.generation == 2)
        #expect(word(course.replace(with: nil)) == "nothing" && course.generation == 2)
        #expect(begin(&course, since: 2) == ("send", nil) && begin(&course, since: 1) == ("give up", nil))
        var wanted = Course(.wanted)
        let refresh = try #require(begin(&wanted).1)
        #expect(word(wanted.replace(with: nil)) == "removed" && word(wanted.replace(with: nil)) == "nothing")
        #expect(word(wanted.end(refresh, with: .success(2))) == "nothing" && wanted.credential == nil)
        #expect(begin(&wanted, since: 0) == ("give up", nil) && begin(&wanted) == ("send", nil))
    }

    @Test("A9 EARLY: an expiring credential is refreshed first; a missing one is obtained, but not after a sign-out")
    func early() throws {
        var course = Course(.held(1))
        #expect(begin(&course, expired: 1) == ("send", nil), "another credential expires")
        let refresh = try #require(begin(&course, expired: 0).1)
        #expect(begin(&course) == ("wait", nil) && reject(&course, sent: 0) == ("wait", nil))
        _ = course.end(refresh, with: .success(2))
        var wanted = Course(.wanted)
        let first = try #require(begin(&wanted).1)
        #expect(word(wanted.end(first, with: .failure(Mishap()))) == "failed Mishap(number: 0)")
        for now in 1...4 { _ = wanted.end(try #require(begin(&wanted, now: now).1), with: .failure(Mishap())) }
        #expect(begin(&wanted, now: 5) == ("refuse", nil))
        _ = wanted.replace(with: nil)
        #expect(begin(&wanted, now: 60) == ("send", nil))
    }
}
