import Foundation
import PewPew
import TestSupport
import Testing

@Suite("A legacy promise", .timeLimit(.minutes(10)))
@MainActor
struct LegacyPromiseTests {
    private enum Outcome: Sendable, CaseIterable { case success, failure, error }

    private let log = EventLog()

    private func promise(_ outcome: Outcome) -> Promise<Int, String> {
        Promise(action: { promise in
            switch outcome {
            case .success: promise.succeed(with: 1)
            case .failure: promise.fail(with: "f")
            case .error: promise.catch(Mishap())
            }
        })
    }

    private func observed<T: Sendable, E: Sendable>(_ promise: Promise<T, E>) -> Promise<T, E> {
        let log = log
        return
            promise
            .success { log("success \($0)") }
            .failure { log("failure \($0)") }
            .error { log("error \($0)") }
            .completion { log("completion") }
    }

    @Test("It ends with a success, a failure or an error, synchronously, and then the completion")
    func outcomes() {
        for outcome in Outcome.allCases {
            let promise = observed(promise(outcome))
            #expect(promise.status == .created)
            #expect(promise.send() === promise)
            let expected: Promise<Int, String>.Status =
                switch outcome {
                case .success: .success
                case .failure: .failure
                case .error: .error
                }
            #expect(promise.status == expected)
        }
        #expect(
            log.events == [
                "success 1", "completion", "failure f", "completion", "error Mishap(number: 0)", "completion",
            ])
    }

    @Test("THROW: what a success or a failure callback throws goes to error, once")
    func throwing() {
        observed(promise(.success)).success { _ in throw Mishap(number: 1) }.start()
        let failing = observed(promise(.failure)).failure { _ in throw Mishap(number: 2) }
        failing.start()
        #expect(log.events == ["error Mishap(number: 1)", "completion", "error Mishap(number: 2)", "completion"])
        #expect(failing.status == .error)
    }

    @Test("SETTLE: the first of several outcomes counts, with one completion")
    func once() {
        observed(
            Promise<Int, String>(action: { promise in
                promise.fail(with: "f")
                promise.succeed(with: 1)
                promise.catch(Mishap())
            })
        ).send()
        #expect(log.events == ["failure f", "completion"])
    }

    @Test("then and thenFailure transform their outcome, and let the others pass")
    func transforms() {
        for outcome in Outcome.allCases {
            observed(promise(outcome).then { "\($0)!" }.thenFailure { $0.count }).send()
        }
        observed(promise(.success).then { _ -> Int in throw Mishap(number: 1) }).send()
        observed(promise(.failure).thenFailure { _ -> Int in throw Mishap(number: 2) }).send()
        #expect(
            log.events.filter { $0 != "completion" } == [
                "success 1!", "failure 1", "error Mishap(number: 0)", "error Mishap(number: 1)",
                "error Mishap(number: 2)",
            ])
    }

    @Test("future(_:) turns a failure into a value, or fails with the thrown error")
    func future() {
        let log = log
        for outcome in Outcome.allCases {
            promise(outcome).future { $0.count + 40 }
                .response { log("response \($0)") }.error { log("error \($0)") }.send()
        }
        promise(.failure).future { _ in throw Mishap(number: 1) }.error { log("error \($0)") }.send()
        #expect(
            log.events == ["response 1", "response 41", "error Mishap(number: 0)", "error Mishap(number: 1)"])
    }

    @Test("fulfill(_:) sends the promise, and settles the other one with its outcome")
    func fulfill() {
        for outcome in Outcome.allCases { promise(outcome).fulfill(observed(Promise(action: { _ in }))) }
        #expect(
            log.events == [
                "success 1", "completion", "failure f", "completion", "error Mishap(number: 0)", "completion",
            ])
    }

    @Test("NEVER-HANG: a promise that waits for itself fails")
    func waitsForItself() {
        observed(Promise<Int, String>(action: { $0.fulfill($0) })).send()
        #expect(log.events == ["error waitsForItself", "completion"])
    }

    @Test("RELEASE and NEVER-HANG hold for a promise too")
    func life() {
        let released: Weak<LifetimeToken>
        do {
            let token = LifetimeToken()
            released = Weak(token)
            let promise = promise(.failure).failure { _ in withExtendedLifetime(token) {} }
            promise.send()
            withExtendedLifetime(promise) {}
        }
        #expect(released.object == nil)
        observed(Promise<Int, String>(file: "File", line: 7, action: { _ in }).then { $0 }).send()
        #expect(log.events == [#"error abandoned(file: "File", line: 7)"#, "completion"])
    }
}
