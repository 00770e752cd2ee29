/// What one run of a contender costs: the medians of its samples.
struct Measurement: Sendable {
    let contender: String
    let role: Contender.Role
    let seconds: Double
    let processorSeconds: Double

    /// From the cost of one run in each sample.
    init(contender: String, role: Contender.Role, samples: [Usage]) {
        self.contender = contender
        self.role = role
        seconds = samples.map(\.seconds).median
        processorSeconds = samples.map(\.processorSeconds).median
    }
}

extension [Double] {
    /// The value in the middle, or the mean of the two there; 0 if there is none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }

    /// What nine of ten values don't exceed; 0 if there is none.
    var upperTenth: Double {
        isEmpty ? 0 : sorted()[(count - 1) * 9 / 10]
    }
}
