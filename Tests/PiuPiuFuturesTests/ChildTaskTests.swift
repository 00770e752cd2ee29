import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("DOWN: child tasks that await a shared future", .timeLimit(.minutes(10)))
struct ChildTaskTests {
    @Test("Hundreds of async let end with one future, while it still tells the others", arguments: [true, false])
    func asyncLets(isPromised: Bool) async {
        for _ in 0..<30 {
            let gate = Gate(), values = Counter()
            let (pending, promise) = ResponseFuture<Int>.pending()
            let worked = ResponseFuture { () async -> Int in
                await gate.pass()
                return 1
            }
            let future = isPromised ? pending : worked
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        async let value = future.value
                        if (try? await value) == 1 { values.increment() }
                    }
                }
                for _ in 0..<300 {
                    group.addTask {
                        // The parent, and with it the memory of its child, is gone before all of them are told.
                        async let result = future.result
                        _ = await result
                    }
                }
                group.addTask {
                    if !isPromised { await gate.reached() }
                    promise.succeed(with: 1)
                    gate.open()
                }
            }
            #expect(values.value == 300)
        }
    }

    @Test("An operation that awaits itself in an async let fails, too, if it is its own task that waits")
    func waitsForItself() async {
        let own = Box<ResponseFuture<Int>>()
        let future = ResponseFuture { () async throws -> Int in
            guard let future = own.value else { return 0 }
            return try await future.value
        }
        own.value = future
        #expect(await future.ending == "error \(FutureError.waitsForItself)")
        own.value = nil
    }
}
