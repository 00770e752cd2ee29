/// Counts recent failures and successes in a ring of ten buckets, in constant memory.
struct OutcomeWindow: Sendable, Equatable {
    private struct Bucket: Sendable, Equatable {
        var number: Int64 = -1
        var successes = 0
        var failures = 0
    }

    /// The number of parts of the window; the oldest part expires as a whole.
    static let bucketCount = 10

    /// In nanoseconds.
    private let bucketLength: Int64
    private var buckets = [Bucket](repeating: Bucket(), count: bucketCount)

    init(length: Duration) {
        bucketLength = max(Self.nanoseconds(length) / Int64(Self.bucketCount), 1)
    }

    /// Counts one outcome.
    mutating func add(isFailure: Bool, at now: Duration) {
        let number = number(at: now), index = Int(number % Int64(Self.bucketCount))
        if buckets[index].number != number { buckets[index] = Bucket(number: number) }
        if isFailure { buckets[index].failures += 1 } else { buckets[index].successes += 1 }
    }

    /// The counts at this instant.
    func counts(at now: Duration) -> (exchanges: Int, failures: Int) {
        let number = number(at: now)
        return buckets.reduce(into: (0, 0)) { counts, bucket in
            guard bucket.number >= 0, bucket.number > number - Int64(Self.bucketCount) else { return }
            counts.exchanges += bucket.successes + bucket.failures
            counts.failures += bucket.failures
        }
    }

    /// In integers: the rounded quotient of two durations could be the wrong bucket at the end of one.
    private func number(at now: Duration) -> Int64 { Self.nanoseconds(now) / bucketLength }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(9_000_000_000 as Int64)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
