import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("What the queue of callbacks hands out, as its release may run any code", .timeLimit(.minutes(10)))
struct CallbackQueueReleaseTests {
    private typealias Queue = CallbackQueue<Int, String>

    private let members = Population()

    /// A queue of two success callbacks, of which the first has thrown an error that is a cancellation and has a member.
    private func throwing() -> Queue {
        var queue = Queue()
        for name in ["first", "second"] { queue.attach(name, for: .success, replacing: false) }
        queue.settle(.success(1))
        callSuccess("first", of: &queue)
        let error = URLError(.cancelled, userInfo: ["member": members.member()])
        let isOutcome = queue.callbackThrew(error, mustWait: true)
        #expect(isOutcome)
        return queue
    }

    private func callSuccess(_ name: String, of queue: inout Queue) {
        guard case .outcome(name, let ticket) = queue.next(), queue.claim(ticket) != nil else {
            Issue.record("no success")
            return
        }
    }

    @Test("An error that is a cancellation, when the other success callbacks have been called")
    func adoptedError() async {
        var queue = throwing()
        callSuccess("second", of: &queue)
        guard case .finished = queue.next() else {
            Issue.record("not finished")
            return
        }
        #expect(members.count == 1)
        #expect(queue.hasDiscarded)
        _ = queue.takeLeftovers()
        await members.extinct()
        #expect(!queue.hasDiscarded)
    }

    @Test("The same error, when the future is cancelled before")
    func cancelledError() async {
        var queue = throwing()
        do {
            let undelivered = queue.cancelUndelivered()
            #expect(undelivered.map(\.status) == [.success, .error])
            withExtendedLifetime(undelivered) { #expect(members.count == 1) }
        }
        await members.extinct()
        #expect(!queue.isSpent)
    }

    /// Enqueues an update of a transfer that a member of the population names.
    private func enqueue(in queue: inout Queue) {
        queue.enqueue(TransferUpdate(stage: .received).of(members.member()))
    }

    @Test("The objects that name transfers: of updates that wait, are in delivery, or have been delivered")
    func updates() async {
        var queue = Queue()
        queue.attach("updated", for: .update, replacing: true)
        enqueue(in: &queue)
        guard case .update = queue.next(), case .finished = queue.next() else {
            Issue.record("not one update")
            return
        }
        #expect(members.count == 1)
        _ = queue.takeLeftovers()
        await members.extinct()

        for _ in 0..<3 { enqueue(in: &queue) }
        guard case .update = queue.next() else {
            Issue.record("no update")
            return
        }
        queue.settle(.cancelled)
        #expect(members.count == 3)
        _ = queue.takeLeftovers()
        await members.extinct()
        #expect(queue.hasWork)
    }

    @Test("The same for a future that settles when nobody waits for its updates any more")
    func unheardUpdates() async {
        var queue = Queue()
        queue.attach("updated", for: .update, replacing: true)
        enqueue(in: &queue)
        queue.keepNone()
        queue.settle(.success(1))
        #expect(members.count == 1 && !queue.isSpent)
        _ = queue.takeDiscarded()
        _ = queue.takeLeftovers()
        await members.extinct()
        #expect(queue.isSpent)
    }
}
