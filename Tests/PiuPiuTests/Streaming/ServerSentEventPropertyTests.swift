import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Parsing of random server-sent events", .timeLimit(.minutes(10)))
struct ServerSentEventPropertyTests {
    /// The result of parsing.
    private struct Outcome: Equatable {
        var events: [ServerSentEvent] = []
        /// As bytes, since strings that look the same are equal.
        var bytes: [[UInt8]] { events.map { Array("\($0.event)|\($0.data)|\($0.id ?? "")".utf8) } }
        var error: StreamLimitError?

        static func == (one: Outcome, other: Outcome) -> Bool {
            one.events == other.events && one.bytes == other.bytes && one.error == other.error
        }
    }

    private func parse(_ chunks: [some Sequence<UInt8>], limit: Int = .max) -> Outcome {
        var parser = ServerSentEventParser(limit: limit)
        var outcome = Outcome()
        do throws(StreamLimitError) {
            for chunk in chunks { try parser.append(chunk, to: &outcome.events) }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    @Test("Any bytes give the events of their text, however they are cut, within a limit and beyond it")
    func cuts() {
        let seed = StreamBytes.seed(for: "Random event streams")
        var random = StreamBytes(generator: SeededGenerator(seed: seed))
        var count = 0
        for round in 0..<500 {
            let bytes = random.bytes()
            let expected = Outcome(events: ReferenceEventStream.events(in: bytes))
            count += expected.events.count
            #expect(parse(random.cut(bytes)) == expected, "seed \(seed), round \(round)")
            let limit = Int.random(in: 0...20, using: &random.generator)
            let whole = parse([bytes], limit: limit)
            #expect(parse(random.cut(bytes), limit: limit) == whole, "seed \(seed), round \(round)")
        }
        #expect(count > 200)
    }

    @Test("Written events are read back, with any line end and any noise between them")
    func roundTrip() {
        let seed = StreamBytes.seed(for: "Random events")
        var random = StreamBytes(generator: SeededGenerator(seed: seed))
        for round in 0..<200 {
            var encoder = RandomEventEncoder(generator: random.generator)
            let events = (0..<10).map { _ in encoder.addEvent() }
            random.generator = encoder.generator
            #expect(parse(random.cut(encoder.bytes)) == Outcome(events: events), "seed \(seed), round \(round)")
        }
    }
}
