/// A scenario whose contenders are timed in turns.
struct TimedScenario: Scenario {
    let name: String
    let title: String
    /// The result of one run.
    let expected: Int
    /// The contender whose time the others' are divided by.
    let peer: String
    /// The targets of every contender of PiuPiu.
    var targets: [Target] = []
    var note: String?
    let contenders: [Contender]

    func table(with settings: Settings) async throws -> Table {
        let measurements = try await measure(with: settings)
        let measuredPeer = measurements.first { $0.contender == peer }
        var table = Table(
            title: "\(name): \(title)",
            columns: ["contender", "median", "÷ \(peer)", "CPU", "÷ \(peer)", "target"], note: note)
        for (contender, measurement) in zip(contenders, measurements) {
            let targets = contender.role == .piuPiu && !settings.isQuick ? targets + contender.targets : []
            table.add([
                measurement.contender,
                Table.nanoseconds(measurement.seconds * 1e9),
                measuredPeer.map { Table.ratio(measurement.seconds / $0.seconds) } ?? "",
                Table.nanoseconds(measurement.processorSeconds * 1e9),
                measuredPeer.map { Table.ratio(measurement.processorSeconds / $0.processorSeconds) } ?? "",
                targets.map { $0.verdict(on: measurement, among: measurements) }.joined(separator: "; "),
            ])
        }
        return table
    }

    private func measure(with settings: Settings) async throws -> [Measurement] {
        var turns: [(contender: Contender, count: Int)] = []
        for contender in contenders {
            let count = settings.isQuick ? 2 : try await calibratedCount(for: contender)
            turns.append((contender, count))
        }
        let samples = try await Turns.samples(of: turns, rounds: settings.rounds()) { turn in
            try await usage(of: turn.contender, count: turn.count) / turn.count
        }
        return zip(contenders, samples).map { Measurement(contender: $0.name, role: $0.role, samples: $1) }
    }

    /// Warms the contender up, and finds out how many runs fit into a sample.
    private func calibratedCount(for contender: Contender) async throws -> Int {
        let sampleSeconds = Double(Settings.sampleMilliseconds) / 1_000
        _ = try await usage(of: contender, count: 1)
        var count = 1
        while true {
            var seconds = try await usage(of: contender, count: count).seconds
            // Once more, as the machine may have delayed it.
            if seconds >= sampleSeconds / 2 {
                seconds = min(seconds, try await usage(of: contender, count: count).seconds)
            }
            if seconds >= sampleSeconds / 2 {
                return max(1, Int(Double(count) * sampleSeconds / seconds))
            }
            guard count < 1 << 32 else { throw NothingToMeasure(scenario: name, contender: contender.name) }
            count *= 2
        }
    }

    private func usage(of contender: Contender, count: Int) async throws -> Usage {
        try await contender.preparation?(count)
        let meter = Usage.Meter()
        let sum = try await contender.body(count)
        let usage = meter.usage
        guard sum == expected * count else {
            throw WrongResult(scenario: name, contender: contender.name, expected: expected * count, result: sum)
        }
        return usage
    }
}
