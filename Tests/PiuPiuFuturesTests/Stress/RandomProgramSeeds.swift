import Foundation
import PiuPiu

/// The seeds of the random programs to run, which several workers share.
///
/// Environment: `PIUPIU_SEED` alone repeats that seed, as only some interleavings may fail;
/// `PIUPIU_STRESS_SECONDS` gives new seeds for that time, from that seed on if there is one.
final class RandomProgramSeeds: Sendable {
    private static let environment = ProcessInfo.processInfo.environment
    private static let givenSeed = environment["PIUPIU_SEED"].flatMap { UInt64($0) }
    private static let givenSeconds = environment["PIUPIU_STRESS_SECONDS"].flatMap { Int($0) }
    private static let defaultCount: UInt64 = 1500
    /// A busy machine runs fewer programs.
    private static let defaultSeconds = 10

    /// The time limit for all programs.
    static var minutes: Int { 10 + (givenSeconds ?? 0) / 60 }

    private let first = givenSeed ?? .random(in: 0 ... .max / 2)
    private let givenCount = Locked<UInt64>(0)
    private let deadline = ContinuousClock.now + .seconds(givenSeconds ?? defaultSeconds)

    /// How many seeds have been given.
    var count: UInt64 { givenCount.withLock { $0 } }

    /// The seed of the next program; `nil` when enough have been given.
    func next() -> UInt64? {
        let isTimed = Self.givenSeconds != nil
        if ContinuousClock.now >= deadline { return nil }
        let index = givenCount.withLock { count -> UInt64? in
            if !isTimed, count == Self.defaultCount { return nil }
            defer { count += 1 }
            return count
        }
        guard let index else { return nil }
        let seed = Self.givenSeed != nil && !isTimed ? first : first &+ index
        // A hint for after a crash.
        if index.isMultiple(of: 500) { Self.say("Random programs from PIUPIU_SEED=\(seed)") }
        return seed
    }

    /// Writes a line at once: a process that hangs or crashes has no time to flush.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
