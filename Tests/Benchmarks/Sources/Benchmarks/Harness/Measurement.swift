/// The times of a contender, in nanoseconds for doing its thing once.
struct Measurement: Sendable {
    let contender: Contender
    let median: Double

    init(contender: Contender, samples: [Double]) {
        self.contender = contender
        median = samples.median
    }
}

extension [Double] {
    /// The value in the middle, or the mean of the two there; 0 if there is none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
