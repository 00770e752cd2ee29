import Foundation
import PiuPiu
import TestSupport
import Testing

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that no test saw: work and joins", .timeLimit(.minutes(10)))
struct UnseenWorkBreakTests {
    @Test("GROUPS: a first success with a limit begins the next future only when one has failed", arguments: [1, 2])
    func limitOfFirstSuccess(limit: Int) async {
        let controlled = ControlledFutures()
        let future = ResponseFuture.firstSuccess(of: (0..<4).map(controlled.future), limit: limit)
        future.send()
        // Actions that may begin have begun by now.
        #expect(controlled.log.events == (0..<limit).map { "start \($0)" })
        controlled.fail(0)
        #expect(await controlled.log.all(limit + 1).contains("start \(limit)"))
        controlled.succeed(limit)
        #expect(await future.ending == "value \(limit)")
        #expect(controlled.log.events.filter { $0.hasPrefix("start") } == (0...limit).map { "start \($0)" })
    }

    @Test("GROUPS: a group throws the failure of a future that was added unless the group was cancelled")
    func addedUnlessCancelled() async {
        await #expect(throws: Mishap(number: 1)) {
            try await withThrowingDiscardingTaskGroup { group in
                let isAdded = group.addFutureUnlessCancelled(ResponseFuture<Int>(error: Mishap(number: 1)))
                #expect(isAdded)
            }
        }
        await #expect(throws: CancellationError.self) {
            try await withThrowingDiscardingTaskGroup { group in
                let isAdded = group.addFutureUnlessCancelled(ResponseFuture<Int> { $0.cancel() })
                #expect(isAdded)
            }
        }
    }

    @Test("ONCE: a future that is sent while another begins to fulfill it doesn't do its own work, too")
    func sentWhileFulfilled() async {
        let log = EventLog()
        let target = ResponseFuture<Int> { promise in
            log("own work")
            promise.succeed(with: 1)
        }
        let source = ResponseFuture<Int> { promise in
            target.send()
            promise.succeed(with: 2)
        }
        source.fulfill(target)
        #expect(await target.ending == "value 2")
        #expect(log.events == [])
    }

    @Test("UP: who asks for cancellations gets a URLError.cancelled of synchronous work as a CancellationError")
    func cancellationInPlace() async throws {
        // Nobody else can reach the failing future, so its work is a part of that of the future below.
        @Sendable func failing() -> ResponseFuture<Int> {
            ResponseFuture<Int> { () throws -> Int in throw URLError(.cancelled) }
        }
        func all() -> ResponseFuture<[Result<Int, any Error>]> { ResponseFuture.whenAllComplete([failing()]) }
        @Sendable func recovered() -> ResponseFuture<Int> {
            failing().recover(from: .errorsAndCancellations) { error in error is CancellationError ? 1 : 2 }
        }
        @Sendable func recoveredByType() -> ResponseFuture<Int> {
            failing().recover(only: CancellationError.self) { _ in 3 }
        }
        for result in try await all().value {
            #expect(throws: CancellationError.self) { try result.get() }
        }
        #expect(await Awaiting { recovered() }.ending == "value 1")
        #expect(await Awaiting { recoveredByType() }.ending == "value 3")
    }

    @MainActor
    @Test("BACKGROUND: the transform of an action doesn't run on the main queue as a part of a join", arguments: 0..<3)
    func transformInPart(form: Int) async {
        func part() -> ResponseFuture<Bool> {
            ResponseFuture<Bool> { $0.succeed(with: true) }.then { _ in MainQueue.isCurrent }
        }
        let future: ResponseFuture<Bool> =
            switch form {
            case 0: part().join(ResponseFuture(result: 1)).then { $0.0 }
            case 1: ResponseFuture<[Bool]>(childFutures: [part(), part()]).then { $0.contains(true) }
            default: ResponseFuture.race([part()])
            }
        future.send()
        #expect(await future.ending == "value false")
    }

    @Test(
        "BACKGROUND: a held future that a callback on the main actor returns begins in the background",
        arguments: [true, false], [true, false])
    func heldInner(isReplace: Bool, isAsynchronous: Bool) async {
        let held =
            isAsynchronous
            ? ResponseFuture<Bool> { () async throws -> Bool in MainQueue.isCurrent }
            : ResponseFuture<Bool> { () throws -> Bool in MainQueue.isCurrent }
        let whole: ResponseFuture<Bool> =
            if isReplace {
                ResponseFuture { 1 }.replace(Bool.self) { _ in held }
            } else {
                ResponseFuture { 1 }.seriesJoin(Bool.self) { _ in held }.then { $0.1 }
            }
        #expect(await Awaiting(now: whole).ending == "value false")
    }

    @Test("INTEREST: an operation that reads a sequence of its own future keeps no token for itself")
    func sequenceOfSelf() async {
        let whole = Box<ResponseFuture<Int>>(), endings = EventLog(), gate = Gate()
        let future = ResponseFuture<Int> { () async throws -> Int in
            guard let own = whole.value else { throw Mishap() }
            for await result in [own].resultsInOrder() {
                switch result {
                case .success(let number): endings("value \(number)")
                case .failure(let error): endings("error \(error)")
                }
            }
            try await gate.passUnlessCancelled()
            return 1
        }
        whole.value = future
        let awaiter = Awaiting(now: future)
        #expect(await endings.all(1) == ["error waitsForItself"])
        await gate.reached()
        awaiter.cancel()
        #expect(await awaiter.ending == "cancelled")
        #expect(future.status == .cancelled)
        // If it isn't cancelled, nothing else would end it.
        future.cancel()
        whole.value = nil
    }

    @Test("SAME: a flatMap continues with both values of a flatJoin that waits", arguments: [true, false])
    func flatJoinInFlatMap(isHeld: Bool) async {
        let held = Box<ResponseFuture<(Int, Int)>>()
        let ending = await Awaiting {
            ResponseFuture { 1 }.flatMap { number -> ResponseFuture<(Int, Int)>? in
                let pair = ResponseFuture { number }.flatJoin { number -> ResponseFuture<Int>? in
                    ResponseFuture<Int> { () async throws -> Int in number + 1 }
                }
                if isHeld { held.value = pair }
                return pair
            }
        }
        .ending
        #expect(ending == "value (1, 2)")
        held.value = nil
    }
}
