import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `PIUPIU_FUZZ=10` runs each parser for ten minutes, from `PIUPIU_SEED` if that is set, and writes the times that they
/// take; `PIUPIU_PARSER="Age"` runs that one alone.
@Suite("Parsers of our own, with any input", .timeLimit(.minutes(60)))
struct ParserFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let minutes = environment["PIUPIU_FUZZ"].flatMap { Double($0) }
    private static let parsers = FuzzedParser.all.filter { parser in
        environment["PIUPIU_PARSER"].map { $0 == parser.testDescription } ?? true
    }

    @Test("No parser crashes, hangs or returns a wrong result", arguments: parsers)
    func anything(parser: FuzzedParser) {
        let seed = StreamBytes.seed(for: "Fuzzing of \(parser.testDescription)")
        var random = SeededGenerator(seed: seed)
        let end = Self.minutes.map { ContinuousClock.now + .seconds($0 * 60) }
        var count = 0
        while end.map({ ContinuousClock.now < $0 }) ?? (count < 250) {
            count += 1
            let input = parser.input(&random)
            do { try parser.parse(input) } catch {
                Issue.record("seed \(seed), input \(count), \(Data(input).base64EncodedString()): \(error)")
                return
            }
        }
        if end != nil { Self.write("\(parser.testDescription): \(count) inputs without a failure") }
    }

    @Test("Each parser takes linear time", arguments: parsers)
    func linearity(parser: FuzzedParser) {
        let hostile = (parser.pieces + parser.examples).filter { !$0.isEmpty }
        var slowest: (times: [Duration], piece: [UInt8]) = ([.zero, .zero, .zero], [])
        let isFast = { (time: Duration) in time < .milliseconds(20) }
        for piece in hostile {
            if Self.minutes == nil, isFast(Self.time(of: parser, repeating: piece, kibibytes: 16)) { continue }
            let times = Self.times(of: parser, repeating: piece)
            // One measurement may be wrong on a busy machine; quadratic time would give 16.
            let isLinear = { (times: [Duration]) in isFast(times[2]) || times[2] < times[0] * 9 }
            if !isLinear(times) {
                let again = Self.times(of: parser, repeating: piece)
                #expect(
                    isLinear(again) || isLinear(Self.times(of: parser, repeating: piece)),
                    "\(String(decoding: piece, as: UTF8.self).debugDescription): \(times), \(again)")
            }
            if times[2] > slowest.times[2] { slowest = (times, piece) }
        }
        guard Self.minutes != nil else { return }
        let piece = String(decoding: slowest.piece, as: UTF8.self).debugDescription
        Self.write("\(parser.testDescription), slowest of \(piece), n, 2n, 4n: \(slowest.times)")
    }

    /// The times for 4, 8 and 16 KiB of one piece, repeated.
    private static func times(of parser: FuzzedParser, repeating piece: [UInt8]) -> [Duration] {
        [4, 8, 16].map { kibibytes in
            let times = (0..<2).map { _ in time(of: parser, repeating: piece, kibibytes: kibibytes) }
            return min(times[0], times[1])
        }
    }

    private static func time(of parser: FuzzedParser, repeating piece: [UInt8], kibibytes: Int) -> Duration {
        let input = Array(repeating: piece, count: (kibibytes << 10) / piece.count + 1).flatMap(\.self)
        let start = processorTime()
        // The other test reports what is wrong with the result.
        try? parser.parse(input)
        return processorTime() - start
    }

    /// The processor time of this thread, which other work on the machine doesn't change.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    private static func write(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
