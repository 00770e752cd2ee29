/// A scenario whose contenders are timed in turns.
struct TimedScenario: Scenario {
    let name: String
    let title: String
    /// What the result of doing it once is.
    let expected: Int
    /// The contender whose time the others' are divided by.
    let peer: String
    let targets: [Target]
    var note: String?
    let contenders: [Contender]

    func table(with settings: Settings) async throws -> Table {
        let measurements = try await measure(with: settings)
        let peerTime = measurements.first { $0.contender.name == peer }?.median
        var table = Table(
            title: "\(name): \(title)", columns: ["contender", "median", "÷ \(peer)", "target"], note: note)
        for measurement in measurements {
            let targets = measurement.contender.role == .piuPiu && !settings.isQuick ? targets : []
            table.add([
                measurement.contender.name,
                Table.nanoseconds(measurement.median),
                peerTime.map { Table.ratio(measurement.median / $0) } ?? "",
                targets.map { $0.verdict(on: measurement, among: measurements) }.joined(separator: "; "),
            ])
        }
        return table
    }

    private func measure(with settings: Settings) async throws -> [Measurement] {
        var counts: [Int] = []
        for contender in contenders {
            counts.append(settings.isQuick ? 2 : try await calibratedCount(for: contender))
        }
        var samples: [[Double]] = contenders.map { _ in [] }
        for round in 0..<settings.rounds() {
            // To and fro, so that no contender always comes after the same other.
            let order = round.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed()
            for index in order {
                let seconds = try await seconds(for: contenders[index], count: counts[index])
                samples[index].append(seconds * 1e9 / Double(counts[index]))
            }
        }
        return zip(contenders, samples).map { Measurement(contender: $0, samples: $1) }
    }

    /// Warms the contender up, and finds out how often it can do its thing in the time of a sample.
    private func calibratedCount(for contender: Contender) async throws -> Int {
        let sampleSeconds = Double(Settings.sampleMilliseconds) / 1_000
        var count = 1
        while true {
            let seconds = try await seconds(for: contender, count: count)
            if seconds >= sampleSeconds / 2 {
                return max(1, Int(Double(count) * sampleSeconds / seconds))
            }
            guard count < 1 << 32 else { throw NothingToMeasure(scenario: name, contender: contender.name) }
            count *= 2
        }
    }

    private func seconds(for contender: Contender, count: Int) async throws -> Double {
        let start = ContinuousClock.now
        let sum = try await contender.body(count)
        let seconds = start.duration(to: .now) / .seconds(1)
        guard sum == expected * count else {
            throw WrongResult(scenario: name, contender: contender.name, expected: expected * count, result: sum)
        }
        return seconds
    }
}
