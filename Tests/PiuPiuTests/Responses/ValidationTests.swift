import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Validation of statuses", .timeLimit(.minutes(10)))
struct ValidationTests {
    private func future(_ statusCode: StatusCode, _ body: String? = "body") throws -> ResponseFuture<Response<Data?>> {
        ResponseFuture(result: try fixtureResponse(body, statusCode: statusCode))
    }

    private func refused<Success>(_ future: ResponseFuture<Success>) async -> StatusCode? {
        await #expect(throws: UnacceptableStatusError.self) { _ = try await future.value }?.statusCode
    }

    @Test("2xx are acceptable, and no other status")
    func standard() throws {
        for status in 100...599 {
            let response = try fixtureResponse("body", statusCode: StatusCode(rawValue: status))
            guard !(200...299).contains(status) else {
                _ = try response.validated()
                _ = try response.makeHTTPResponse().validated()
                continue
            }
            let error = #expect(throws: UnacceptableStatusError.self) { try response.validated() }
            #expect(error?.statusCode.rawValue == status)
            #expect(throws: UnacceptableStatusError.self) { try response.makeHTTPResponse().validated() }
        }
    }

    @Test("Statuses are named by a range, an array or a set, as numbers or as codes")
    func statuses() throws {
        let response = try fixtureResponse(nil, statusCode: .notModified)
        _ = try response.validated(200..<400)
        _ = try response.validated(0...Int.max)
        _ = try response.validated([200, 304])
        _ = try response.validated(Set([304]))
        _ = try response.validated([.ok, .notModified])
        #expect(throws: UnacceptableStatusError.self) { try response.validated([.ok]) }
        #expect(throws: UnacceptableStatusError.self) { try response.validated([Int]()) }
        #expect(throws: UnacceptableStatusError.self) { try response.validated([StatusCode]()) }
    }

    @Test("A response that didn't come over HTTP has no status to refuse")
    func noStatus() throws {
        _ = try fixtureFileResponse("body").validated()
        _ = try fixtureFileResponse("body").validated([Int]())
    }

    @Test("A future is validated before it is decoded, and its statuses can be named")
    func futures() async throws {
        let post = try await future(.created, #"{"id":1,"title":"one"}"#).validated().decoded(FixturePost.self).value
        #expect(post.data.id == 1)
        #expect(await refused(try future(.notFound).validated().decoded(FixturePost.self)) == .notFound)
        #expect(try await future(.notFound).validated([200, 404]).value.data == Data("body".utf8))
        #expect(try await future(.notFound).validated([.ok, .notFound]).value.data == Data("body".utf8))
        #expect(await refused(try future(.ok).validated([.notFound])) == .ok)
        #expect(await refused(try future(.gone).makeHTTPResponse().validated()) == .gone)
        #expect(await refused(try future(.gone).makeHTTPResponse().decodedString().validated()) == .gone)
    }

    @Test("COLD, ONCE: a validated future runs nothing by itself, and once with two awaiters")
    func cold() async throws {
        let runs = Locked(0)
        let future = ResponseFuture<Response<Data?>> { future in
            runs.withLock { $0 += 1 }
            future.succeed(with: try fixtureResponse("body"))
        }.validated()
        #expect(runs.withLock { $0 } == 0)
        _ = try await (future.value, future.value)
        #expect(runs.withLock { $0 } == 1)
    }

    @Test("An error and a cancellation pass as they are")
    func passing() async throws {
        let failed = ResponseFuture<Response<Data?>> { $0.fail(with: TransferError(.timedOut)) }.validated()
        await #expect(throws: TransferError.self) { try await failed.value }
        let cancelled = ResponseFuture<Response<Data?>> { $0.cancel() }.validated()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test("UP: cancelling a validated future cancels the future it was made from")
    func cancellation() async throws {
        let started = Gate()
        let promise = Locked<ResponseFuture<Response<Data?>>?>(nil)
        let parent = ResponseFuture<Response<Data?>> { future in
            promise.withLock { $0 = future }
            started.open()
        }
        let future = parent.validated()
        future.start()
        await started.opened()
        future.cancel()
        await #expect(throws: CancellationError.self) { try await parent.value }
        await #expect(throws: CancellationError.self) { try await future.value }
    }

    @MainActor
    @Test("The error goes to the error callback")
    func callback() async throws {
        let log = Log<String>()
        let future = try future(.notFound, "gone")
        future.validated()
            .success { _ in log.append("success") }
            .error { error in log.append(error.localizedDescription) }
            .completion { log.finish() }
            .send()
        for await _ in log.stream {}
        #expect(log.all == ["The server answered GET https://example.com/posts with 404 Not Found: gone"])
    }

    // MARK: Joins

    @Test("GROUPS: joins are validated as a whole, and the first in order is the error")
    func joins() async throws {
        let (a, b) = (try future(.ok), try future(.ok))
        #expect(try await a.join(b).validated().value.1.data == Data("body".utf8))
        #expect(await refused(try future(.gone).join(future(.conflict)).validated()) == .gone)
        #expect(await refused(try future(.ok).join(future(.ok), future(.gone)).validated()) == .gone)
        #expect(await refused(try future(.ok).join(future(.ok), future(.ok), future(.gone)).validated()) == .gone)
        let five = try future(.ok).join(future(.ok), future(.ok), future(.ok), future(.gone))
        #expect(await refused(five.validated()) == .gone)
        let six = try future(.ok).join(future(.ok), future(.ok), future(.ok), future(.ok), future(.gone))
        #expect(await refused(six.validated()) == .gone)
        let pair = try future(.gone).join(future(.ok))
        #expect(try await pair.validated([200, 410]).value.0.data == Data("body".utf8))
        #expect(try await future(.gone).join(future(.ok)).validated([.ok, .gone]).value.0.data == Data("body".utf8))
        let decoded = try future(.ok, "[1]").seriesJoin { _ in try future(.notFound) }.validated()
        #expect(await refused(decoded.decoded([Int].self, [Int].self)) == .notFound)
    }

    @Test("A list of responses is validated as a whole")
    func lists() async throws {
        let sound = ResponseFuture<[Response<Data?>]>(childFutures: [try future(.ok), try future(.created)])
        #expect(try await sound.validated().value.count == 2)
        let broken = ResponseFuture<[Response<Data?>]>(
            childFutures: [try future(.ok), try future(.gone), try future(.conflict)])
        #expect(await refused(broken.validated().decodedString()) == .gone)
        #expect(await refused(broken.makeHTTPResponse().validated()) == .gone)
        #expect(try await broken.validated(200..<500).value.count == 3)
        #expect(try await broken.validated([.ok, .gone, .conflict]).value.count == 3)
        #expect(try await ResponseFuture<[Response<Data?>]>(childFutures: []).validated().value.isEmpty)
    }

    @Test("An optional part is validated if it is present, and a refused result becomes a failure")
    func nullableAndSafeJoins() async throws {
        let none: ResponseFuture<Response<Data?>>? = nil
        let missing = try future(.ok).parallelNullableJoin { none }.validated()
        #expect(try await missing.value.1?.data == nil)
        let present = try future(.ok).parallelNullableJoin { [present = try future(.gone)] in present }.validated()
        #expect(await refused(present) == .gone)

        let (_, result) = try await future(.ok).safeParallelJoin { [gone = try future(.gone)] in gone }.validated()
            .value
        let error = #expect(throws: UnacceptableStatusError.self) { _ = try result.get() }
        #expect(error?.statusCode == .gone)
        let failed = ResponseFuture<Response<Data?>> { $0.fail(with: TransferError(.timedOut)) }
        let (_, earlier) = try await future(.ok).safeParallelJoin { failed }.validated().value
        #expect(throws: TransferError.self) { _ = try earlier.get() }
        #expect(await refused(try future(.conflict).safeParallelJoin { failed }.validated()) == .conflict)
    }
}
