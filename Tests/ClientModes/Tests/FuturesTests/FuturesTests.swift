import PiuPiuFutures
import Testing

/// Code of a target that depends on the product PiuPiuFutures alone.
@Suite("The futures without requests", .timeLimit(.minutes(1)))
struct FuturesTests {
    private struct Failure: Error, Equatable {}

    @Test("A chain with a join and an error, awaited")
    func chain() async throws {
        let sum = ResponseFuture { 1 }
            .parallelJoin { ResponseFuture { 2 } }
            .then { $0 + $1 }
        #expect(try await sum.value == 3)
        let failed: ResponseFuture<Int> = sum.then { _ in throw Failure() }
        await #expect(throws: Failure()) { try await failed.value }
        #expect(try await failed.recover { _ in 7 }.value == 7)
    }

    @MainActor
    @Test("Callbacks, a promise and its update")
    func callbacks() async {
        let (future, promise) = ResponseFuture<Int>.pending()
        var values: [Int] = []
        await withCheckedContinuation { ended in
            future.updated { values.append(Int($0.progress.bytesReceived)) }
                .success { values.append($0) }
                .completion { ended.resume() }
                .send()
            promise.update(with: TransferUpdate(stage: .received, progress: TransferProgress(bytesReceived: 5)))
            promise.succeed(with: 8)
        }
        #expect(values == [5, 8])
    }

    @Test("A sequence of futures, a scope, and the text of an error")
    func others() async throws {
        var values: [Int] = []
        let futures = [1, 2].map { number in ResponseFuture { number } }
        for try await value in futures.valuesInOrder() { values.append(value) }
        #expect(values == [1, 2])
        let scope = FutureScope()
        let bound = ResponseFuture { 1 }.bound(to: scope)
        scope.cancel()
        #expect(bound.status == .cancelled)
        #expect(FutureError.waitsForItself.description.hasPrefix("FutureError.waitsForItself: "))
    }
}
