import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls a hook of its decoder while it is decoded.
private struct Hooked: Decodable, Sendable, Equatable {
    struct Hook: Sendable {
        let run: @Sendable () -> Void
    }

    let id: Int

    init(from decoder: any Decoder) throws {
        if let key = CodingUserInfoKey(rawValue: "hook") { (decoder.userInfo[key] as? Hook)?.run() }
        id = try decoder.singleValueContainer().decode(Int.self)
    }

    static func decoder(_ hook: @escaping @Sendable () -> Void) -> JSONDecoder {
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey(rawValue: "hook") { decoder.userInfo[key] = Hook(run: hook) }
        return decoder
    }
}

@Suite("Decoded lines and events of a streamed response", .timeLimit(.minutes(10)))
struct DecodedElementsTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    /// A response with these chunks, which ends only if `isOpen` is false.
    private func response(_ chunks: [String], isOpen: Bool = false) async throws -> Response<StreamedBody> {
        let reply = LoopbackReply.chunked(chunks.map { Data($0.utf8) }, headers: [LoopbackHeader("X-Trace", "7")])
        let steps = isOpen ? reply.steps.dropLast() + [.stall] : reply.steps
        server.handle("GET", "/chunks", reply: LoopbackReply(steps: steps))
        return try await dispatcher.streamFuture(from: server.request("/chunks")).value
    }

    private func all<Element>(_ elements: DecodedElements<Element>) async throws -> [Element] {
        var all: [Element] = []
        for try await element in elements { all.append(element) }
        return all
    }

    @Test("Lines are decoded one by one, however they are cut, and empty ones are skipped")
    func lines() async throws {
        let chunks = [#"{"id":1,"ti"#, "tle\":\"a\u{2028}b\"}\r\n\n", #"{"id":2,"title":""}"#]
        let posts = try await all(response(chunks).decodedLines(FixturePost.self))
        #expect(posts == [FixturePost(id: 1, title: "a\u{2028}b"), FixturePost(id: 2, title: "")])
        let inferred: DecodedElements<Int> = try await response(["1\n2"]).decodedLines()
        #expect(try await all(inferred) == [1, 2])
    }

    @Test("The decoder is the one that was passed")
    func decoder() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let dates = try await all(response(["7\n"]).decodedLines(Date.self, using: decoder))
        #expect(dates == [Date(timeIntervalSince1970: 7)])
        let event = try await all(response(["data: 7\n\n"]).decodedEvents(Date.self, using: decoder))
        #expect(event == dates)
    }

    @Test("Events are decoded up to the last one, which cancels the transfer; those without data are skipped")
    func events() async throws {
        let chunks = ["data: 1\n\n: ping\n\ndata:\n\n", "event: x\ndata: 2\n\ndata: [DONE]\n\n", "data: 3\n\n"]
        let opened = try await response(chunks, isOpen: true)
        let elements = opened.decodedEvents(Int.self, until: "[DONE]")
        var iterator = elements.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        #expect(try await iterator.next() == nil)
        // The iterator is still there.
        try await server.waitForClosedConnections()
        #expect(try await iterator.next() == nil)
    }

    @Test("Without a last event the loop ends with the response")
    func eventsToTheEnd() async throws {
        let numbers = try await all(response(["data: 1\n\ndata: 2\n\n", "data: lost"]).decodedEvents(Int.self))
        #expect(numbers == [1, 2])
    }

    @Test("A response that ends without the last event isn't whole", arguments: ["", "data: [DO", "data: [DONE]!\n"])
    func withoutLastEvent(rest: String) async throws {
        let response = try await response(["data: 1\n\n\(rest)"])
        var iterator = response.decodedEvents(Int.self, until: "[DONE]").makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: TransferError.self) { try await iterator.next() }
        #expect(error?.kind == .truncated && error?.url == server.url("/chunks"))
        #expect(try await iterator.next() == nil)
    }

    @Test("The empty line after the last event may be missing", arguments: ["", "\n", "\r", "\r\n"])
    func unfinishedLastEvent(end: String) async throws {
        let response = try await response(["data: 1\n\ndata: [DONE]\(end)"])
        #expect(try await all(response.decodedEvents(Int.self, until: "[DONE]")) == [1])
    }

    @Test("A failure names the response and has the text, after the elements before it", arguments: [true, false])
    func failure(isEvents: Bool) async throws {
        let text = isEvents ? "data: 1\n\ndata: {\"a\":\ndata: 2}\n\ndata: 3\n\n" : "1\n{\"a\":2}\n3\n"
        let response = try await response([text], isOpen: true)
        let numbers = isEvents ? response.decodedEvents(Int.self) : response.decodedLines(Int.self)
        var iterator = numbers.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: ResponseDecodingError.self) { try await iterator.next() }
        #expect(error?.bodyText == (isEvents ? "{\"a\":\n2}" : "{\"a\":2}"))
        #expect(error?.url == server.url("/chunks") && error?.method == "GET" && error?.statusCode == .ok)
        #expect(error?.headers["X-Trace"] == "7" && error?.typeName == "Int")
        #expect(error?.underlyingError is DecodingError)
        try await server.waitForClosedConnections()
        #expect(try await iterator.next() == nil)
    }

    @MainActor
    @Test("The loop of the main actor decodes in the background")
    func background() async throws {
        let onMain = Watched<[Bool]>([])
        let note: @Sendable () -> Void = { onMain.withLock { $0.append(MainQueue.isCurrent) } }
        note()
        let decoder = Hooked.decoder(note)
        for try await _ in try await response(["1\n2\n"]).decodedLines(Hooked.self, using: decoder) { note() }
        #expect(onMain.withLock { $0 } == [true, false, true, false, true])
    }

    @Test("DOWN: a cancelled reader gets no more elements of a chunk that is there", arguments: [true, false])
    func cancelledReader(isEvents: Bool) async throws {
        let response = try await response([isEvents ? "data: 1\n\ndata: 2\n\n" : "1\n2\n"], isOpen: true)
        let count = Counter()
        let task = Task {
            let numbers = isEvents ? response.decodedEvents(Int.self) : response.decodedLines(Int.self)
            for try await _ in numbers {
                count.increment()
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(count.value == 1)
        try await server.waitForClosedConnections()
    }

    @Test("DOWN: an element that is being decoded is not for a reader that is cancelled", arguments: ["1\n2", "[]\n"])
    func cancelledWhileDecoding(text: String) async throws {
        let response = try await response([text]), count = Counter()
        let decoder = Hooked.decoder { withUnsafeCurrentTask { $0?.cancel() } }
        let task = Task {
            for try await _ in response.decodedLines(Hooked.self, using: decoder) { count.increment() }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(count.value == 0)
    }

    @Test("A scope that is cancelled while an element is decoded ends the loop", arguments: [true, false])
    func scope(isEvents: Bool) async throws {
        let scope = FutureScope(), text = isEvents ? "data: 1\n\ndata: 2\n\n" : "1\n2\n"
        server.handle("GET", "/bound", reply: .chunked([Data(text.utf8), Data(text.utf8)]))
        let response = try await dispatcher.bound(to: scope).streamFuture(from: server.request("/bound")).value
        let decoder = Hooked.decoder { scope.cancelAll() }
        let elements =
            isEvents
            ? response.decodedEvents(Hooked.self, using: decoder) : response.decodedLines(Hooked.self, using: decoder)
        var iterator = elements.makeAsyncIterator()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
        #expect(scope.count == 0)
    }

    @Test("It is read once, and leaving the loop cancels the transfer")
    func readOnce() async throws {
        let response = try await response(["1\n2\n"], isOpen: true), numbers = response.decodedLines(Int.self)
        for try await _ in numbers { break }
        try await server.waitForClosedConnections()
        await #expect(throws: StreamedBodyError.alreadyRead) { try await all(numbers) }
        await #expect(throws: StreamedBodyError.alreadyRead) { try await all(response.decodedEvents(Int.self)) }
        await #expect(throws: StreamedBodyError.alreadyRead) { try await response.collected() }
    }

    @Test("A failure of the transfer comes after the elements before it")
    func brokenTransfer() async throws {
        let reply = LoopbackReply.chunked([Data("1\n2".utf8)])
        server.handle("GET", "/broken", reply: LoopbackReply(steps: reply.steps.dropLast() + [.close]))
        let response = try await dispatcher.streamFuture(from: server.request("/broken")).value
        var iterator = response.decodedLines(Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: TransferError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("The data of an event alone are decoded, and the text of its error names no request")
    func singleEvent() throws {
        #expect(try ServerSentEvent(data: "[1]").decode([Int].self) == [1])
        let error = #expect(throws: ResponseDecodingError.self) {
            try ServerSentEvent(data: #"{"id":1}"#).decode(FixturePost.self)
        }
        #expect(error?.bodyText == #"{"id":1}"# && error?.url == nil && error?.statusCode == nil)
        #expect(error?.headers.map(\.name) == [] && error?.headers["A"] == nil && error?.headers.values(for: "A") == [])
        let start = "The data of a server-sent event could not be decoded as FixturePost: no value for key 'title' at "
        #expect(error?.localizedDescription.hasPrefix(start) == true, "\(error?.localizedDescription ?? "")")
    }

    @Test("A body is collected with its head and its metrics; an empty one is none")
    func collected() async throws {
        let response = try await response(["ab", "c"]).collected()
        #expect(response.data == Data("abc".utf8))
        #expect(response.headers["X-Trace"] == "7" && response.metrics != nil)
        #expect(try await dispatcher.streamFuture(from: server.request("/empty")).value.collected().data == nil)
        let http = try await dispatcher.streamFuture(from: server.request("/bytes/7")).makeHTTPResponse().value
        #expect(try await http.collected(upTo: 7).data == LoopbackPattern.data(count: 7))
    }

    @Test("A body that is too long to collect is an error, and its transfer is cancelled")
    func collectedTooLong() async throws {
        let response = try await response(["abc", "def"], isOpen: true)
        let error = await #expect(throws: TransferError.self) { try await response.collected(upTo: 5) }
        #expect(error?.kind == .bodyTooLarge && error?.url == server.url("/chunks"))
        #expect(error?.errorDescription?.contains("more than 5 bytes") == true)
        try await server.waitForClosedConnections()
    }

    @Test("DOWN: collecting ends with its task")
    func cancelledCollecting() async throws {
        let response = try await dispatcher.streamFuture(from: server.request("/fault/stall-mid-body")).value
        let task = Task { try await response.collected() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitForClosedConnections()
    }
}
