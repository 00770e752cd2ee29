import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Async engines: errors", .timeLimit(.minutes(10)))
struct AsyncEngineErrorTests {
    private struct ClientError: Error {}
    private struct BodyError: Error {}

    private func failure(of engine: some AsyncTransferEngine, _ request: TransferRequest) async -> (any Error)? {
        let log = Log<TransferEvent>()
        _ = engine.start(request) { log.append($0) }
        return await log.untilTheEnd().last?.failure
    }

    /// How an exchange fails if the client throws this error before the head, and if its sequence throws it.
    private func failures(of error: any Error) async -> [(any Error)?] {
        let request = ScriptedExchange.request()
        return [
            await failure(of: ClosureEngine { _, _ -> AskedChunks in throw error }, request),
            await failure(of: ClosureEngine { _, _ in AskedChunks(1) { _ in throw error } }, request),
        ]
    }

    @Test("Any other error of the client becomes a TransferError with the URL and the underlying error")
    func other() async {
        for failure in await failures(of: ClientError()) {
            let error = failure as? TransferError
            #expect(error?.kind == .other)
            #expect(error?.url == ScriptedExchange.url)
            #expect(error?.underlyingError is ClientError)
        }
    }

    @Test("The code of a URLError decides the kind")
    func urlError() async {
        for failure in await failures(of: URLError(.timedOut)) {
            #expect((failure as? TransferError)?.kind == .timedOut)
        }
    }

    @Test("A TransferError keeps its kind and its URL, and gets a URL if it has none")
    func transferError() async {
        let other = ScriptedExchange.url.appending(path: "other")
        for url in [nil, other] {
            for failure in await failures(of: TransferError(.badResponse, url: url, underlyingError: ClientError())) {
                let error = failure as? TransferError
                #expect(error?.kind == .badResponse)
                #expect(error?.url == url ?? ScriptedExchange.url)
                #expect(error?.underlyingError is ClientError)
            }
        }
    }

    @Test("An InvalidRequestError and a CancellationError of the client's pass unchanged")
    func asTheyAre() async {
        for failure in await failures(of: InvalidRequestError.missingURL) {
            #expect(failure as? InvalidRequestError == .missingURL)
        }
        for failure in await failures(of: CancellationError()) { #expect(failure is CancellationError) }
    }

    @Test("An engine says what its client's errors mean, before the head and after it")
    func kinds() async {
        struct Naming: AsyncTransferEngine {
            let exchanges = RunningExchanges()
            let failsAtOnce: Bool

            func exchange(
                _ request: TransferRequest, body: TransferChunks?
            ) async throws -> (TransferHead, some AsyncSequence<Data, any Error>) {
                if failsAtOnce { throw ClientError() }
                return (
                    TransferHead(url: ScriptedExchange.url, status: 200), AskedChunks(1) { _ in throw ClientError() }
                )
            }

            func kind(of error: any Error, afterHead: Bool) -> TransferError.Kind {
                error is ClientError ? (afterHead ? .truncated : .connectionLost) : .other
            }
        }
        for (failsAtOnce, kind) in [(true, TransferError.Kind.connectionLost), (false, .truncated)] {
            let error = await failure(of: Naming(failsAtOnce: failsAtOnce), ScriptedExchange.request())
            #expect((error as? TransferError)?.kind == kind)
            #expect((error as? TransferError)?.underlyingError is ClientError)
        }
    }

    @Test("An error of the request's body fails the exchange, whatever the client throws instead")
    func bodyFailure() async {
        let engine = ClosureEngine { _, body -> AskedChunks in
            do {
                for try await _ in try #require(body) {}
            } catch {
                throw ClientError()
            }
            return AskedChunks(1)
        }
        let chunks = TransferChunks(AskedChunks(3) { if $0 == 2 { throw BodyError() } })
        #expect(await failure(of: engine, ScriptedExchange.request(.chunks(chunks))) is BodyError)
    }

    @Test("If the request's body ends in a cancellation, the client's own error is reported")
    func stoppedBody() async {
        let engine = ClosureEngine { _, body -> AskedChunks in
            do {
                for try await _ in try #require(body) {}
            } catch is CancellationError {
                throw ClientError()
            }
            return AskedChunks(1)
        }
        let chunks = TransferChunks(AskedChunks(3) { if $0 == 2 { throw CancellationError() } })
        let error = await failure(of: engine, ScriptedExchange.request(.chunks(chunks)))
        #expect((error as? TransferError)?.underlyingError is ClientError)
    }

    @Test("Chunks of another length than announced are an error", arguments: [3, 5] as [Int64])
    func wrongLength(length: Int64) async {
        let engine = ClosureEngine { _, body -> AskedChunks in
            for try await _ in try #require(body) {}
            return AskedChunks(1)
        }
        // Four bytes.
        let chunks = TransferChunks(AskedChunks(2), length: length)
        let error = await failure(of: engine, ScriptedExchange.request(.chunks(chunks))) as? TransferError
        #expect(error?.kind == .unreadableBody && error?.url == ScriptedExchange.url)
    }

    @Test("A missing file is an error before anything is sent")
    func missingFile() async throws {
        let calls = Watched(0)
        let engine = ClosureEngine { _, _ in
            calls.withLock { $0 += 1 }
            return AskedChunks(1)
        }
        let file = try TemporaryFolder().file("missing")
        let error = await failure(of: engine, ScriptedExchange.request(.file(file)))
        #expect((error as? TransferError)?.kind == .fileNotFound)
        #expect(calls.withLock { $0 } == 0)
    }
}
