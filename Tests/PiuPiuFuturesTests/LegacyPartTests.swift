import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Joins with a legacy action behind other parts", .timeLimit(.minutes(10)))
struct LegacyPartTests {
    /// How several futures become one.
    enum Form: CaseIterable, Sendable {
        case pair, children, limitedChildren

        func join(_ first: ResponseFuture<Int>, _ second: ResponseFuture<Int>) -> ResponseFuture<[Int]> {
            switch self {
            case .pair: first.join(second).then { [$0, $1] }
            case .children: ResponseFuture<[Int]>(childFutures: [first, second])
            case .limitedChildren: ResponseFuture<[Int]>(childFutures: [first, second], limit: 2)
            }
        }
    }

    private let runs = Counter()

    private func action(_ value: Int) -> ResponseFuture<Int> {
        ResponseFuture<Int> { [runs] promise in
            runs.increment()
            promise.succeed(with: value)
        }
    }

    private func failingAction() -> ResponseFuture<Int> {
        ResponseFuture<Int>(action: { [runs] _ in
            runs.increment()
            throw Mishap(number: 2)
        })
    }

    @Test(
        "NEVER-HANG: an action may wait for the part before it, which runs beside it", arguments: Form.allCases,
        [true, false])
    func parallel(form: Form, isNested: Bool) async {
        let begun = DispatchSemaphore(value: 0)
        var first = ResponseFuture {
            begun.signal()
            return 1
        }
        if isNested { first = first.join(ResponseFuture { 0 }).then { $0 + $1 } }
        let action = ResponseFuture<Int> { promise in
            begun.wait()
            promise.succeed(with: 2)
        }
        let join = form.join(first, action), hasReturned = Gate()
        // A thread of its own, as the action blocks. An await that came first would run the action itself.
        Thread.detachNewThread {
            join.send()
            hasReturned.open()
        }
        await hasReturned.opened()
        #expect(await join.ending == "value [1, 2]")
    }

    @MainActor
    @Test("SYNC-START, BACKGROUND: only the action runs on the caller's stack", arguments: Form.allCases)
    func whereTheyRun(form: Form) async {
        let thread = { @Sendable in MainQueue.isCurrent ? 1 : 0 }
        let action = ResponseFuture<Int> { [runs] promise in
            runs.increment()
            promise.succeed(with: thread())
        }
        let join = form.join(ResponseFuture { thread() }.then { $0 + thread() }, action)
        join.send()
        #expect(runs.value == 1)
        #expect(await join.ending == "value [0, 1]")
    }

    @Test("EARLY: a future that has settled wins before an action behind it runs")
    func settledWins() async {
        let settled = ResponseFuture(result: 1)
        _ = await settled.result
        #expect(await ResponseFuture.race([settled, action(2)]).ending == "value 1")
        #expect(await ResponseFuture.firstSuccess(of: [settled, action(2)]).ending == "value 1")
        #expect(await ResponseFuture.firstSuccess(of: [settled, action(2)], limit: 2).ending == "value 1")
        #expect(runs.value == 0)
        #expect(await ResponseFuture.race([action(2), settled]).ending == "value 2")
    }

    @Test("GROUPS, EARLY: a failure that is known counts before that of an action behind it", arguments: Form.allCases)
    func settledFails(form: Form) async {
        let failed = ResponseFuture<Int>(error: Mishap(number: 1))
        _ = await failed.result
        let action = failingAction()
        #expect(await form.join(failed, action).ending == "error Mishap(number: 1)")
        #expect(runs.value == 0 && action.status == .created)
    }

    @Test("EARLY, UP: an action that cancels the join cancels the part before it; the one behind it stays cold")
    func cancelledByAction() async {
        let gate = Gate(), whole = Box<AnyResponseFuture>(), log = EventLog()
        let first = JoinTests.waiting(1, at: gate, log), last = action(3)
        let action = ResponseFuture<Int>(action: { promise in
            whole.value?.cancel()
            promise.succeed(with: 2)
        })
        let join = ResponseFuture<[Int]>(childFutures: [first, action, last])
        whole.value = join
        join.send()
        #expect(join.status == .cancelled && last.status == .created && runs.value == 0)
        #expect(await first.ending == "cancelled")
        whole.value = nil
    }
}
