import Foundation
import PiuPiu
import ResultPromises
import TestSupport
import Testing

@Suite("Promises: futures and await", .timeLimit(.oneProcessAtATime))
struct FutureTests {
    private let log = EventLog()

    @Test("A promise is awaited, whether it has ended or ends later")
    func value() async throws {
        #expect(try await wrapped(1).value == 1)
        let promise = Promise<Int>(), failed = Promise<Int>()
        async let first = promise.value
        async let second = promise.value
        promise.resolve(result: 2)
        #expect(try await first + second == 4)
        failed.resolve(error: Mishap(number: 3))
        await #expect(throws: Mishap(number: 3)) { try await failed.value }
    }

    @Test("SETTLE: an end with CancellationError or URLError.cancelled cancels the future")
    func cancelledEnd() async {
        for error in [CancellationError(), URLError(.cancelled)] as [any Error] {
            let promise = Promise<Int>(), log = EventLog(), future = promise.future()
            future.onCancellation { log("cancelled") }.send()
            promise.resolve(error: error)
            #expect(await log.all(1) == ["cancelled"])
        }
    }

    @Test("COLD: a promise's future waits only after its start, and chains like any other")
    func future() async throws {
        let promise = Promise<Int>(), log = log
        let future = promise.future().then { $0 * 2 }
        await MainActor.run {
            future.success { log("\($0)") }.completion { log("completion") }.send()
        }
        promise.resolve(result: 21)
        #expect(await log.all(2) == ["42", "completion"])
        #expect(try await promise.future().value == 21)
    }

    @Test("DOWN, SHARED: a cancelled task stops waiting at once, and affects neither the promise nor another task")
    func cancellation() async throws {
        let promise = Promise<Int>()
        async let other = promise.value
        let task = Task { try await promise.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        promise.resolve(result: 1)
        #expect(try await other == 1)
    }

    @Test("RELEASE: the promise releases a cancelled future, and still resolves")
    func detached() async throws {
        let promise = Promise<Int>(), log = log, kept = promise.future()
        kept.start()
        for _ in 0..<10 {
            let future = promise.future()
            future.onCompletion { log("completion") }.send()
            future.cancel()
        }
        _ = await log.all(10)
        #expect(promise.callbackCount == 1)
        promise.resolve(result: 1)
        #expect(try await kept.value == 1)
        #expect(promise.callbackCount == 0)
    }

    @Test("Mappers are called in order, also after all that waited between them have left")
    func order() async {
        let promise = Promise<Int>(), log = log, left = EventLog()
        let leaving = (0..<20).map { number in
            _ = promise.then { value -> Int in
                log("\(number)")
                return value
            }
            let future = promise.future().onCompletion { left("completion") }
            future.send()
            return future
        }
        for future in leaving { future.cancel() }
        await left.wait(for: 20)
        #expect(promise.callbackCount == 20)
        promise.resolve(result: 1)
        #expect(log.events == (0..<20).map { "\($0)" })
    }

    @Test("NEVER-HANG: the future of a promise that is released unresolved fails, and names where it was made")
    func abandoned() async {
        func abandonedFuture() -> ResponseFuture<Int> {
            let promise = Promise<Int>(), future = promise.future(file: "Here.swift", line: 7)
            future.start()
            return future
        }
        await #expect(throws: FutureError.abandoned(file: "Here.swift", line: 7)) {
            try await abandonedFuture().value
        }
    }

    @Test("NEVER-HANG: awaiting a promise that nobody else retains ends")
    func abandonedValue() async {
        await #expect(throws: FutureError.self) { try await Promise<Int>().then { $0 }.value }
    }

    @Test("A future becomes a promise, started, with its value, its error and its cancellation")
    func promiseOfFuture() async throws {
        #expect(try await ResponseFuture { 1 }.promise().value == 1)
        await #expect(throws: Mishap(number: 2)) {
            try await ResponseFuture<Int>(error: Mishap(number: 2)).promise().value
        }
        let (cancelled, promise) = ResponseFuture<Int>.pending()
        let log = log
        cancelled.promise().onError { log("\($0 is CancellationError) on \(Place.current)") }
        // Only now, as a handler attached after the end is called where it is attached.
        promise.cancel()
        #expect(await log.all(1) == ["true on main"])
    }

    #if os(macOS) || os(Linux)
        @Test("An onSuccess callback that throws doesn't resolve the promise of its future again", .oneProcessAtATime)
        func promiseOfThrowing() async throws {
            let printed = try ProcessLog()
            await #expect(processExitsWith: .success) { [printed = printed as ProcessLog] in
                try await printed.record {
                    let log = EventLog(), future = ResponseFuture { 1 }
                    let promise = future.onSuccess { _ in throw Mishap() }.onCompletion { log("completion") }.promise()
                    await log.wait(for: 1)
                    let value = try await promise.value
                    print("value \(value)")
                }
            }
            let output = try printed.text()
            #expect(output.contains("value 1") && !output.contains("Warning: Promise already resolved"))
        }
    #endif

    @MainActor
    @Test("A promise of a future calls handlers that were attached on main there")
    func promiseOnMain() async {
        let log = log
        ResponseFuture { 1 }.promise().onSuccess { log("\($0) on \(Place.current)") }
        #expect(await log.all(1) == ["1 on main"])
    }

    @Test("Results convert in both directions")
    func results() throws {
        typealias Legacy = ResultPromises.Result
        #expect(try Legacy(Swift.Result<Int, Mishap>.success(1)).resolve() == 1)
        #expect(throws: Mishap()) { try Legacy(Swift.Result<Int, Mishap>.failure(Mishap())).resolve() }
        #expect(try Legacy.success(value: 1).swiftResult.get() == 1)
        #expect(throws: Mishap()) { try Swift.Result(Legacy<Int>.failure(error: Mishap())).get() }
    }
}
