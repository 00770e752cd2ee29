import Foundation
import PewPew
import TestSupport
import Testing

/// The order of callbacks when links settle inside their own actions.
@Suite("Legacy links that settle at once", .timeLimit(.minutes(10)))
@MainActor
struct LegacyOrderTests {
    private let log = EventLog()

    @Test("KEEP: an action that settles inside send() continues after the whole chain is delivered")
    func inside() {
        ResponseFuture<Int>(action: { [log] future in
            future.succeed(with: 1)
            log("after succeed")
        })
        .then { [log] in log("then \($0)") }
        .response { [log] in log("response") }
        .send()
        #expect(log.events == ["then 1", "response", "after succeed"])
    }

    @Test("The action of a future that an operator starts returns before the chain continues")
    func begunByOperator() {
        ResponseFuture<Int>(action: { $0.succeed(with: 1) })
            .replace { [log] value in
                ResponseFuture<Int>(action: { future in
                    future.succeed(with: value + 1)
                    future.fail(with: Mishap())
                    log("after succeed")
                }).completion { log("its completion") }
            }
            .response { [log] in log("response \($0)") }
            .send()
        #expect(log.events == ["after succeed", "response 2", "its completion"])
    }

    @Test("A callback that sends another future finds it delivered when send() returns")
    func nested() {
        let log = log
        ResponseFuture<Int>(action: { $0.succeed(with: 1) })
            .then { value in
                ResponseFuture<Int>(action: { $0.succeed(with: 2) }).then { $0 }.response { log("inner \($0)") }.send()
                log("sent")
                return value
            }
            .response { log("outer \($0)") }
            .send()
        #expect(log.events == ["inner 2", "sent", "outer 1"])
    }
}
