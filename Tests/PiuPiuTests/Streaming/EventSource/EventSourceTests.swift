import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MockAnswer {
    /// A stream of events.
    static func events(_ text: String) -> MockAnswer {
        .text(text, headers: ["Content-Type": "text/event-stream"])
    }
}

@Suite("Event sources", .timeLimit(.minutes(10)))
struct EventSourceTests {
    private let clock = SkippingClock()
    private let get: URLRequest

    init() throws {
        get = try fixtureRequest("https://user:word@example.com/events?token=secret")
    }

    private func source(_ dispatcher: any StreamDispatcher, _ clock: any Clock<Duration>) -> EventSource {
        EventSource(dispatcher, from: get, clock: clock, generator: FixedGenerator())
    }

    private func ids(_ server: RecordingDispatcher<MockRouteTable>) -> [String?] {
        server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "Last-Event-ID") }
    }

    @Test("It reconnects with the last identifier, until a 204")
    func again() async throws {
        let server = scripted(
            .events("id: 1\ndata: a\n\ndata: b\n\n"), .broken(.cannotConnect),
            .events("data: c\n\nid: 2\n\ndata: lost"),
            .events("id\n\n"), .number(204))
        var events: [ServerSentEvent] = []
        for try await event in source(server, clock) { events.append(event) }
        #expect(events.map(\.data) == ["a", "b", "c"] && events.map(\.id) == ["1", "1", "1"])
        // Identifiers without data and empty ones count; a truncated event's doesn't.
        #expect(ids(server) == [nil, "1", "1", "2", nil])
        #expect(clock.sleeps == [.milliseconds(1500), .seconds(3), .milliseconds(1500), .milliseconds(1500)])
    }

    /// Events of a stream that breaks after them.
    private func broken(_ text: String) -> MockAnswer {
        let chunks = AskedChunks(1) { if $0 == 2 { throw TransferError(.connectionLost) } }
        return .chunks(chunks.map { _ in Data(text.utf8) }, headers: ["Content-Type": "text/event-stream"])
    }

    @Test("It reconnects after streams that break, with the last identifier")
    func brokenStreams() async throws {
        let manual = ManualClock(), events = EventLog()
        let server = scripted(broken("id: 1\ndata: a\n\ndata: lost"), broken("data: b\n\n"), .number(204))
        let source = source(server, manual)
        let reading = Awaiting(running: {
            for try await event in source { events(event.data) }
            return "end"
        })
        await manual.sleepers(until: [.milliseconds(1500)])
        #expect(events.events == ["a"] && ids(server) == [nil])
        manual.advance(by: .milliseconds(1500))
        await manual.sleepers(until: [.seconds(3)])
        #expect(events.events == ["a", "b"] && ids(server) == [nil, "1"])
        manual.advance(by: .milliseconds(1500))
        #expect(await reading.ending == "value end")
        #expect(ids(server) == [nil, "1", "1"])
    }

    @Test("COLD: nothing is sent before the first next(); each iterator has its own connection")
    func cold() async throws {
        let server = scripted(.events("id: 1\ndata: a\n\n"))
        let source = source(server, clock)
        var first = source.makeAsyncIterator(), second = source.makeAsyncIterator()
        #expect(server.exchanges.isEmpty && first.lastEventID == nil)
        #expect(try await first.next()?.data == "a" && server.exchanges.count == 1)
        #expect(try await second.next()?.data == "a" && server.exchanges.count == 2)
        #expect(first.lastEventID == "1")
        #expect(try await first.next()?.data == "a" && ids(server) == [nil, nil, "1"])
    }

    @Test("It resumes from an earlier identifier")
    func resumed() async throws {
        let server = scripted(.events("data: a\n\n"))
        var iterator = server.eventSource(from: get, lastEventID: "7").makeAsyncIterator()
        #expect(try await iterator.next() == ServerSentEvent(data: "a", id: "7"))
        #expect(ids(server) == ["7"])
    }

    @Test("retry: counts with or without an event, and for later connections")
    func retry() async throws {
        let server = scripted(
            .events("retry: 100\n\n"), .events("retry: x\ndata: a\n\n"), .events("data: b\nretry: 1000\n\n"),
            .number(204))
        #expect(try await source(server, clock).reduce("") { $0 + $1.data } == "ab")
        #expect(clock.sleeps == [.milliseconds(150), .milliseconds(150), .milliseconds(1500)])
    }

    @Test("A wrong status or type is an error, and the end")
    func refused() async throws {
        for status in [404, 500, 503] {
            let server = scripted(.events("data: a\n\n"), .number(status))
            var iterator = source(server, clock).makeAsyncIterator()
            #expect(try await iterator.next()?.data == "a")
            let error = await #expect(throws: UnacceptableStatusError.self) { _ = try await iterator.next() }
            #expect(error?.statusCode.rawValue == status)
            #expect(try await iterator.next() == nil && server.exchanges.count == 2)
        }
        let page = scripted(.text("data: a\n\n"))
        let error = await #expect(throws: EventSourceError.self) { for try await _ in source(page, clock) {} }
        #expect(error?.contentType?.hasPrefix("text/plain") == true && page.exchanges.count == 1)
        let untrusted = scripted(.broken(.untrustedAuthority))
        await #expect(throws: TransferError.self) { for try await _ in source(untrusted, clock) {} }
        #expect(untrusted.exchanges.count == 1)
    }

    @Test("An event over the limit is an error, after the events before it")
    func limit() async throws {
        var source = source(scripted(.events("id: 7\ndata: a\n\nid: 8\ndata: 12345678\n\n")), clock)
        source.limit = 8
        var iterator = source.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        await #expect(throws: StreamLimitError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
        // For another source, which goes on after the last event.
        #expect(iterator.lastEventID == "7")
    }

    @Test("With retrying() a 503 is tried again, and with validating() it is the same error")
    func policies() async throws {
        let server = scripted(.number(503), .events("data: a\n\n"), .number(204))
        let retrying = source(server.retrying(.fixed(clock)), clock)
        #expect(try await retrying.reduce("") { $0 + $1.data } == "a" && server.exchanges.count == 3)
        let failing = scripted(.number(503))
        await #expect(throws: UnacceptableStatusError.self) {
            for try await _ in source(failing.validating(), clock) {}
        }
        #expect(failing.exchanges.count == 1)
    }

    /// How a source ends that is read inside a deadline of five seconds.
    private func reading(_ source: EventSource, inDeadlineBy clock: ManualClock) -> Awaiting {
        let context = PolicyContext(deadline: Deadline(after: .seconds(5), clock: clock))
        return ExchangeLocals.$current.withValue(context.local) {
            Awaiting(running: {
                do {
                    for try await _ in source {}
                    return "end"
                } catch let error as TransferError {
                    return error.kind.rawValue
                } catch let error as DeadlineExceeded {
                    return "\(error.limit) \(error.stage)"
                }
            })
        }
    }

    @Test(
        "D3 NOTHING: no wait begins that would reach the deadline of the task",
        arguments: [
            // After these waits half a second is left, and the next one would be longer.
            (MockAnswer.broken(.connectionLost), [Duration.milliseconds(1500), .seconds(3)], "connectionLost"),
            (MockAnswer.events("retry: 3000\n\n"), [Duration.milliseconds(4500)], "5.0 seconds waiting"),
        ] as [(MockAnswer, [Duration], String)])
    func crossingWait(answer: MockAnswer, waits: [Duration], ending: String) async throws {
        let manual = ManualClock(), server = scripted(answer)
        let reading = reading(source(server, manual), inDeadlineBy: manual)
        for delay in waits {
            await manual.sleepers()
            manual.advance(by: delay)
        }
        #expect(await reading.ending == "value \(ending)" && server.exchanges.count == waits.count + 1)
    }

    @Test("D3 NOTHING: a wait that ends after the deadline of the task is the last, and nothing is sent")
    func lateWait() async throws {
        let waits = ManualClock(), time = ManualClock(), sent = Counter()
        let server = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { _, _ in
                    sent.increment()
                    throw TransferError(.connectionLost)
                })
        ])
        let reading = reading(source(server, waits), inDeadlineBy: time)
        await waits.sleepers()
        time.advance(by: .seconds(5))
        waits.advance(by: .milliseconds(1500))
        #expect(await reading.ending == "value 5.0 seconds waiting" && sent.value == 1)
    }

    @Test("The state of a connection is reported in order, with waits and errors")
    func states() async throws {
        let log = EventLog()
        let server = scripted(.broken(.timedOut), .events("data: a\n\n"), .number(204))
        let source = source(server, clock).onStateChange { state in
            switch state {
            case .connecting: log("connecting")
            case .open: log("open")
            case .waiting(let delay, let error): log("\(delay) \((error as? TransferError)?.kind.rawValue ?? "closed")")
            }
        }
        for try await event in source { log(event.data) }
        #expect(
            log.events == [
                "connecting", "1.5 seconds timedOut", "connecting", "open", "a", "1.5 seconds closed", "connecting",
            ])
    }

    @Test("Its text shows no secret")
    func description() {
        let source = scripted(.text("")).eventSource(from: get)
        var dumped = "\(source)"
        dump(source, to: &dumped)
        #expect(dumped.hasPrefix("EventSource(https://<redacted>@example.com/events?token=<redacted>)"))
        #expect(!dumped.contains("secret"))
    }

    @Test("Random streams, cut anywhere: no event is lost or comes twice", arguments: 0..<40)
    func random(seed: UInt64) async throws {
        let generator = Locked(SeededGenerator(seed: seed)), count = 30
        let server = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    let last = request.value(forHTTPHeaderField: "Last-Event-ID").flatMap(Int.init) ?? 0
                    if last == count {
                        return Response.makeMockResponse(with: request, statusCode: .noContent)
                    }
                    // From where the client is, up to anywhere in the rest.
                    let rest = (last + 1...count).map { "id: \($0)\ndata: event \($0)\n\n" }.joined()
                    let length = generator.withLock { Int.random(in: 0...min(rest.utf8.count, 200), using: &$0) }
                    if length.isMultiple(of: 5) { throw TransferError(.connectionLost) }
                    return Response.makeMockResponse(
                        with: request, data: Data(rest.utf8.prefix(length)), statusCode: .ok,
                        headers: ["Content-Type": "text/event-stream"])
                })
        ])
        let events = try await source(server, clock).reduce(into: [String]()) { $0.append($1.data) }
        #expect(events == (1...count).map { "event \($0)" }, "seed \(seed)")
    }
}
