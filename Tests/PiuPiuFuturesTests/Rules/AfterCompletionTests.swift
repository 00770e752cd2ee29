import PiuPiu
import TestSupport
import Testing

@Suite("ORDER after the completion", .timeLimit(.minutes(10)))
struct AfterCompletionTests {
    @Test("ORDER: a late callback's cancellation doesn't reach callbacks that are complete")
    func cancellationOfLateCallback() async {
        let log = EventLog(), end = Gate(), future = ResponseFuture { 1 }
        future
            .onSuccess { log("success \($0)") }
            .onCancellation { log("cancellation") }
            .onCompletion {
                log("completion")
                _ = future.onSuccess { log("late \($0)") }
                    .onCancellation { log("late cancellation") }
                    .onCompletion { end.open() }
                future.cancel()
            }
            .send()
        await end.opened()
        #expect(log.events == ["success 1", "completion", "late cancellation"])
    }

    @MainActor
    @Test("ORDER: nor does a late slot's, in the PiuPiu-style family, reach a slot that was not filled again")
    func cancellationOfLateSlot() async {
        let log = EventLog(), end = Gate(), future = ResponseFuture { 1 }
        future
            .success { log("success \($0)") }
            .cancellation { log("cancellation") }
            .completion {
                log("completion")
                _ = future.success { log("late \($0)") }.completion { end.open() }
                future.cancel()
            }
            .send()
        await end.opened()
        #expect(log.events == ["success 1", "completion"])
    }
}
