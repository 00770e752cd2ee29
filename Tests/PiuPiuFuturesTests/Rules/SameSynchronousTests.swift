import Dispatch
import Foundation
import PiuPiu
import TestSupport
import Testing

/// One test at a time: such work occupies a thread of the pool. The cancellation comes from a thread of its own.
@Suite("SAME: synchronous work, no matter who holds it", .serialized, .timeLimit(.minutes(10)))
struct SameSynchronousTests {
    /// Where the work spins.
    enum Place: CaseIterable, Sendable {
        case operation, transform, inner

        func future(spinning: @escaping @Sendable () throws -> Int) -> ResponseFuture<Int> {
            switch self {
            case .operation: ResponseFuture { () throws -> Int in try spinning() }
            case .transform: ResponseFuture { 1 }.then { _ in try spinning() }
            case .inner: ResponseFuture { 1 }.flatMap { _ in ResponseFuture { () throws -> Int in try spinning() } }
            }
        }
    }

    @Test(
        "SAME, UP: work that spins until it is cancelled ends, and the await with it",
        arguments: Place.allCases, Holding.allCases)
    func spinning(place: Place, holding: Holding) async {
        for isSecond in [false, true] {
            let keeper = Keeper<Int>(holding), entered = DispatchSemaphore(value: 0), ended = Gate()
            let make = { @Sendable in
                let future = place.future {
                    entered.signal()
                    defer { ended.open() }
                    return try spinUntilCancelled()
                }
                return keeper.keep(isSecond ? future.then { $0 } : future)
            }
            let task = Awaiting(make)
            Thread.detachNewThread {
                entered.wait()
                if let handle = keeper.future { handle.cancel() } else { task.cancel() }
            }
            #expect(await task.ending == "cancelled")
            await ended.opened()
        }
    }

    @Test("SAME, UP: the spinning link of a chain is cancelled by any handle", arguments: Holding.reachable)
    func spinningLink(holding: Holding) async {
        let keeper = Keeper<Int>(holding), entered = DispatchSemaphore(value: 0), ended = Gate()
        let task = Awaiting {
            keeper.keep(
                ResponseFuture { 1 }.then { _ in
                    entered.signal()
                    defer { ended.open() }
                    return try spinUntilCancelled()
                }
            ).then { $0 }
        }
        Thread.detachNewThread {
            entered.wait()
            if let handle = keeper.future { handle.cancel() } else { task.cancel() }
        }
        #expect(await task.ending == "cancelled")
        await ended.opened()
    }

    @Test(
        "SAME, SHARED: work that checks for cancellation goes on when one of two awaiters is cancelled",
        arguments: Holding.reachable, [true, false])
    func checked(holding: Holding, isTransform: Bool) async {
        let keeper = Keeper<Int>(holding), entered = DispatchSemaphore(value: 0), goOn = DispatchSemaphore(value: 0)
        let work = { @Sendable () throws -> Int in
            entered.signal()
            goOn.wait()
            try Task.checkCancellation()
            return 1
        }
        let first = Awaiting {
            keeper.keep(isTransform ? ResponseFuture { 0 }.then { _ in try work() } : ResponseFuture(operation: work))
        }
        let second = Box<Awaiting>(), ready = Gate()
        Thread.detachNewThread {
            entered.wait()
            second.value = keeper.future.map { Awaiting(now: $0) }
            first.cancel()
            goOn.signal()
            ready.open()
        }
        await ready.opened()
        #expect(await second.value?.ending == "value 1")
        #expect(await first.ending == "cancelled")
    }
}
