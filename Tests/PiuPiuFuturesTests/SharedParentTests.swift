import PiuPiu
import TestSupport
import Testing

@Suite("Futures made from a shared future", .timeLimit(.minutes(10)))
struct SharedParentTests {
    private func ending(_ result: Result<Int, any Error>) -> String {
        switch result {
        case .success(let value): "value \(value)"
        case .failure(let error): "error \(error)"
        }
    }

    private func shared() -> [(String, ResponseFuture<Int>)] {
        [
            ("value 1", ResponseFuture(result: 1)),
            ("error Mishap(number: 3)", ResponseFuture(error: Mishap(number: 3))),
        ]
    }

    @Test("ONCE, MEMO: thenResult and safeResult see the value or the error of a shared future that has not run")
    func resultOfSharedFuture() async throws {
        for (expected, shared) in shared() {
            let log = EventLog()
            let word = try await shared.thenResult { result in
                log("thenResult")
                return ending(result)
            }.value
            #expect(word == expected)
            #expect(log.events == ["thenResult"])
            #expect(await shared.ending == expected)
        }
        for (expected, shared) in shared() {
            let result = try await shared.then { $0 }.safeResult().value
            #expect(ending(result) == expected)
            #expect(await shared.ending == expected)
        }
    }

    @Test("ONCE, DEPTH: thenResult sees the results of a chain too long for one stack")
    func resultOfLongChain() async throws {
        let runs = Counter()
        var future = ResponseFuture(result: 0)
        for _ in 0..<10_000 {
            future = future.thenResult { result in
                runs.increment()
                return try result.get() + 1
            }
        }
        #expect(try await future.value == 10_000)
        #expect(runs.value == 10_000)
    }
}
