import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Shared exchanges, their decisions", .timeLimit(.minutes(10)))
struct SharedCourseTests {
    private func body(_ text: String) -> TransferEvent { .body(Data(text.utf8)) }

    private func head() throws -> TransferEvent {
        let url = try url("http://host/")
        return .head(TransferHead(url: url, status: 200), request: URLRequest(url: url))
    }

    /// The events that a delivery gives to a caller, in short.
    private func texts(_ course: inout SharedCourse, _ id: Int) -> String {
        var text = ""
        while let event = course.next(for: id) {
            switch event {
            case .head: text += "h"
            case .body(let chunk): text += String(decoding: chunk, as: UTF8.self)
            case .finished: text += "."
            case .failed: text += "!"
            case .sent, .measured: text += "?"
            }
        }
        return text
    }

    @Test("C3 WHEN: late joiners get the head and the body so far, in order")
    func late() throws {
        var course = SharedCourse()
        check(course.join(1), .joined)
        check(course.received(try head()), [1])
        check(course.received(body("a")), [])
        check(texts(&course, 1), "ha")
        check(course.join(2), .joinedLate)
        check(course.received(body("b")), [1])
        check(texts(&course, 2), "hab")
        check(Set(course.received(.finished)), [2])
        check(texts(&course, 1), "b.")
        check(texts(&course, 2), ".")
        check(course.join(3), .late)
    }

    @Test("C3 WHEN: a second head replaces the first, and its body")
    func secondHead() throws {
        var course = SharedCourse()
        check(course.join(1), .joined)
        _ = course.received(try head())
        _ = course.received(body("no"))
        check(texts(&course, 1), "hno")
        _ = course.received(try head())
        _ = course.received(body("yes"))
        check(course.join(2), .joinedLate)
        check(texts(&course, 1), "hyes")
        check(texts(&course, 2), "hyes")
    }

    @Test("Each sign that the exchange goes on is for those who are there, and none is kept for others")
    func signs() throws {
        var course = SharedCourse()
        let sign = TransferEvent.sent(bytes: 0, expected: nil)
        check(course.join(1), .joined)
        check(course.received(sign), [1])
        check(texts(&course, 1), "?")
        check(course.join(2), .joined)
        check(Set(course.received(try head())), [1, 2])
        check(texts(&course, 1) + texts(&course, 2), "hh")
        check(Set(course.received(sign)), [1, 2])
        check(texts(&course, 1), "?")
        for _ in 0..<3 {
            check(course.received(sign), [1])
            check(texts(&course, 1), "?")
        }
        check(texts(&course, 2), "?")
        check(course.join(3), .joinedLate)
        check(texts(&course, 3), "h")
        check(Set(course.received(.finished)), [1, 2, 3])
        check((1...3).map { texts(&course, $0) }, [".", ".", "."])
    }

    @Test("C2 INTEREST: it ends when the last caller leaves, and each is notified once")
    func interest() {
        var course = SharedCourse()
        for id in 1...3 { check(course.join(id), .joined) }
        check(course.leave(1, because: CancellationError()), SharedCourse.Leave(mustDeliver: true))
        check(texts(&course, 1), "!")
        check(course.leave(1, because: CancellationError()), SharedCourse.Leave())
        check(course.leave(2, because: CancellationError()), SharedCourse.Leave(mustDeliver: true))
        check(course.leave(3, because: CancellationError()), SharedCourse.Leave(mustDeliver: true, isAbandoned: true))
        check(course.join(4), .late)
        check(course.received(body("late")), [])
        check(texts(&course, 2) + texts(&course, 3), "!!")
    }

    @Test("A caller that leaves during a delivery is notified after it, by the same delivery")
    func leavingDuringDelivery() throws {
        var course = SharedCourse()
        check(course.join(1), .joined)
        check(course.received(try head()), [1])
        check(course.leave(1, because: CancellationError()), SharedCourse.Leave(isAbandoned: true))
        check(texts(&course, 1), "!")
    }

    @Test("The exchange is held when all its callers pause; one that reads is enough to go on")
    func holding() throws {
        var course = SharedCourse()
        check(course.isHeld, false)
        check(course.join(1), .joined)
        check(course.join(2), .joined)
        course.pause(1)
        course.pause(1)
        check(course.isHeld, false)
        check(Set(course.received(try head())), [2])
        check(texts(&course, 2), "h")
        course.pause(2)
        check(course.isHeld, true)
        check(course.join(3), .joinedLate)
        check(course.isHeld, false)
        check(texts(&course, 3), "h")
        check(course.leave(3, because: CancellationError()).mustDeliver, true)
        check(texts(&course, 3), "!")
        check(course.isHeld, true)
        check(course.resume(1), true)
        check(course.resume(1), false)
        check(course.isHeld, false)
        check(texts(&course, 1), "h")
        check(course.leave(1, because: CancellationError()).mustDeliver, true)
        check(course.isHeld, true)
        check(course.leave(2, because: CancellationError()).isAbandoned, true)
        check(course.isHeld, false)
    }

    @Test("A paused caller gets the rest when it resumes, even after the end")
    func afterTheEnd() throws {
        var course = SharedCourse()
        check(course.join(1), .joined)
        course.pause(1)
        check(course.received(try head()) + course.received(body("a")) + course.received(.finished), [])
        check(course.resume(1), true)
        check(texts(&course, 1), "ha.")
    }

    @Test(
        "C2, C3: whatever callers do, each gets everything in order, or one notice that it left",
        arguments: (0..<4).map { _ in UInt64.random(in: 0...(.max)) })
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var course = SharedCourse(), got: [Int: String] = [:], owed: Set<Int> = [], isOver = false
            let parts = ["a", "b", "c", "d"], events = [try head()] + parts.map(body) + [.finished]
            var next = 0
            while !isOver || !owed.isEmpty {
                let id = Int.random(in: 0..<8, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0 where next < events.count && course.isClosed == false:
                    owed.formUnion(course.received(events[next]))
                    next += 1
                case 1,
                    2 where got[id] == nil:
                    guard got[id] == nil else { continue }
                    let join = course.join(id)
                    if join != .late { got[id] = "" }
                    if join == .joinedLate { owed.insert(id) }
                case 3 where Int.random(in: 0..<4, using: &random) == 0:
                    if course.leave(id, because: CancellationError()).mustDeliver { owed.insert(id) }
                case 4: course.pause(id)
                case 5: if course.resume(id) { owed.insert(id) }
                default:
                    guard let id = owed.randomElement(using: &random) else { continue }
                    // One event at a time, so that other steps come in between.
                    guard let event = course.next(for: id) else { owed.remove(id); continue }
                    switch event {
                    case .head: got[id]? += "h"
                    case .body(let chunk): got[id]? += String(decoding: chunk, as: UTF8.self)
                    case .finished: got[id]? += "."
                    default: got[id]? += "!"
                    }
                }
                isOver = course.isClosed
                if isOver { for id in 0..<8 where course.resume(id) { owed.insert(id) } }
            }
            for (id, text) in got {
                let isWhole = text == "habcd." || (text.hasSuffix("!") && "habcd".hasPrefix(text.dropLast()))
                try #require(isWhole, "\(text) of \(id), seed \(seed)")
            }
        }
    }
}
