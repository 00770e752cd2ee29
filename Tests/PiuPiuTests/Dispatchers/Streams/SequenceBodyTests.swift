import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bodies made of a sequence", .timeLimit(.minutes(10)))
struct SequenceBodyTests {
    private enum Surroundings {
        @TaskLocal static var name = "nowhere"
    }

    /// A dispatcher of the user's own.
    private struct Own: StreamDispatcher {
        let chunks: AskedChunks

        func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
            ResponseFuture {
                let head = TransferHead(url: try url("https://example.com"), status: 200)
                return Response(data: StreamedBody(chunks), urlRequest: urlRequest, head: head)
            }
        }
    }

    @Test("MEMORY: a chunk is asked for when the reader waits for it, and none before")
    func demand() async throws {
        let chunks = AskedChunks(1_000), body = StreamedBody(chunks)
        var iterator = body.makeAsyncIterator()
        #expect(chunks.asked.withLock { $0 } == 0)
        for number in 1...1_000 {
            #expect(try await iterator.next() == Data("\(number) ".utf8))
            try #require(chunks.asked.withLock { $0 } == number)
        }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(chunks.asked.withLock { $0 } == 1_001)
    }

    @Test("A chunk of any size is read before there is another; empty ones are skipped")
    func early() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let large = Data(repeating: 7, count: 3 << 20)
        var iterator = StreamedBody(stream).makeAsyncIterator()
        for chunk in [Data("a".utf8), Data(), large, large] {
            continuation.yield(chunk)
            if !chunk.isEmpty { #expect(try await iterator.next() == chunk) }
        }
        continuation.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test("It has all the forms of a body, and is read once")
    func forms() async throws {
        let texts = ["data: 1\n\nda", "ta: 2\n", "\n"]
        let body = StreamedBody(
            AsyncStream { continuation in
                for text in texts { continuation.yield(Data(text.utf8)) }
                continuation.finish()
            })
        var events: [String] = []
        for try await event in body.serverSentEvents { events.append(event.data) }
        #expect(events == ["1", "2"])
        await #expect(throws: StreamedBodyError.alreadyRead) { for try await _ in body.lines {} }
    }

    @Test("An error reaches the reader unchanged, after the chunks before it")
    func failure() async throws {
        var read = Data()
        let body = StreamedBody(AskedChunks(9) { if $0 == 3 { throw Mishap(number: 3) } })
        await #expect(throws: Mishap(number: 3)) { for try await chunk in body { read += chunk } }
        #expect(read == Data("1 2 ".utf8))
        let broken = StreamedBody(AskedChunks(9) { _ in throw TransferError(.connectionLost) })
        let error = await #expect(throws: TransferError.self) { for try await _ in broken {} }
        #expect(error?.kind == .connectionLost && error?.url == nil)
    }

    @Test("DOWN: the cancellation of its reader reaches the sequence, and awaits nothing", arguments: [true, false])
    func cancellation(isDeaf: Bool) async {
        let stuck = StuckChunks(), body = StreamedBody(stuck.chunks(isDeaf: isDeaf))
        let reading = Awaiting(running: {
            for try await _ in body {}
            return "end"
        })
        await stuck.gate.reached()
        reading.cancel()
        #expect(await reading.ending == "cancelled")
        if isDeaf { stuck.gate.open() } else { await stuck.cancelled.opened() }
    }

    @Test("Its release ends its task, and releases the sequence, read or not", arguments: [0, 1, 2])
    func release(count: Int) async throws {
        let population = Population()
        func read() async throws {
            let member = population.member()
            let body = StreamedBody(AskedChunks(9) { _ in withExtendedLifetime(member) {} })
            guard count > 0 else { return }
            var iterator = body.makeAsyncIterator()
            for _ in 0..<count { _ = try await iterator.next() }
        }
        try await read()
        await population.extinct()
    }

    @Test("INHERIT: the sequence has the task-local values of the code that makes the body")
    func taskLocals() async throws {
        let log = EventLog()
        let body = Surroundings.$name.withValue("here") {
            StreamedBody(AskedChunks(1) { _ in log(Surroundings.name) })
        }
        for try await _ in body {}
        #expect(log.events == ["here", "here"])
    }

    @Test("A dispatcher of the user's own makes one, with policies over it", arguments: [true, false])
    func own(hasPolicies: Bool) async throws {
        let own = Own(chunks: AskedChunks(3)), get = URLRequest(url: try url("https://example.com"))
        let dispatcher: any StreamDispatcher = hasPolicies ? own.retrying().deadline(.seconds(3600)) : own
        let body = try await dispatcher.streamFuture(from: get).value.data
        #expect(own.chunks.asked.withLock { $0 } == 0)
        #expect(try await body.reduce(into: Data()) { $0 += $1 } == Data("1 2 3 ".utf8))
    }
}
