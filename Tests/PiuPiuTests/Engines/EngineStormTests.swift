import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The session engine: storms", .timeLimit(.minutes(10)))
struct EngineStormTests {
    private static let paths = [
        "/text", "/bytes/200000", "/chunked/20/5000", "/redirect/5", "/status/404", "/basic-auth/a/b", "/gzip",
        "/fault/reset", "/fault/truncate", "/fault/close", "/fault/reset-mid-body", "/early-hints", "/empty",
        "/delay/5", "/redirect/3?status=307",
    ]

    @Test func twoHundredRequestsWithRandomCancels() async throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        var generator = SeededGenerator(seed: seed)
        print("storm seed \(seed)")
        let server = try LoopbackServer.start()
        let engines = [URLSessionEngine(configuration: .ephemeral), URLSessionEngine(configuration: .ephemeral)]
        let tallies = Locked<[String: Int]>([:])
        await withTaskGroup { group in
            for index in 0..<200 {
                let path = Self.paths[Int(generator.next() % UInt64(Self.paths.count))]
                let cancelsAt = generator.next() % 2 == 0 ? Int(generator.next() % 200) : nil
                let engine = engines[index % 2]
                let body = generator.next() % 4 == 0 ? Data("body".utf8) : nil
                group.addTask {
                    let task = Task {
                        try await engine.load(
                            server.url(path), method: body == nil ? "GET" : "POST", body: body)
                    }
                    if let cancelsAt {
                        // When the server has seen this many requests, or at the end.
                        try? await server.waitForRequests(min(cancelsAt, 20))
                        task.cancel()
                    }
                    let outcome: String
                    switch await task.result {
                    case .success: outcome = path.hasPrefix("/fault/") ? "success of a fault" : "success"
                    case .failure(is CancellationError):
                        outcome = cancelsAt == nil ? "unasked cancellation" : "cancelled"
                    case .failure(let error as TransferError):
                        outcome = error.kind == .other ? "other failure" : "failure"
                    case .failure: outcome = "unexpected"
                    }
                    tallies.withLock { $0[outcome, default: 0] += 1 }
                }
            }
        }
        let result = tallies.withLock { $0 }
        // All may be over before they are cancelled.
        let endings = Set(result.keys).union(["cancelled"])
        #expect(endings == ["success", "failure", "cancelled"], "seed \(seed): \(result)")
        // The engines still work.
        for engine in engines { #expect(try await engine.load(server.url("/text")).head.status == 200) }
    }

    @Test func invalidationInTheMiddleOfAStorm() async throws {
        let server = try LoopbackServer.start()
        for round in 0..<20 {
            let engine = URLSessionEngine(configuration: .ephemeral)
            await withTaskGroup { group in
                for index in 0..<20 {
                    group.addTask {
                        let path = Self.paths[(index + round) % Self.paths.count]
                        do {
                            _ = try await engine.load(server.url(path))
                        } catch is CancellationError {
                        } catch let error as TransferError {
                            #expect(error.kind != .other, "\(error)")
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
                group.addTask {
                    try? await server.waitForRequests(round * 10 + round)
                    round % 3 == 0 ? engine.finishTasksAndInvalidate() : engine.invalidateAndCancel()
                }
            }
        }
    }
}
