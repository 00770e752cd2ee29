/// A scenario in which one thing serves ever more others: what each of them costs must not grow with their number.
struct GrowthScenario: Scenario {
    let name: String
    let title: String
    /// How many are served, from few to many.
    let counts: [Int]
    /// Each serves the given number, and returns 1 for each that was served.
    let contenders: [Contender]

    /// How many times as much each may cost with the largest number as with the smallest.
    private static let limit = 2.0
    /// Beyond this, larger numbers would only take long.
    private static let hopeless = 5.0
    /// A small sample is repeated until it is as large as this.
    private static let smallestSample = 20_000
    /// How many seconds the rounds for one number may take, if there is more than one round.
    private static let longestTime = 5.0
    private static let largestQuickCount = 100_000

    func table(with settings: Settings) async throws -> Table {
        let counts = settings.isQuick ? counts.filter { $0 <= Self.largestQuickCount } : counts
        var costs: [[Double]] = contenders.map { _ in [] }
        for count in counts {
            let hopeful = contenders.indices.filter { costs[$0].growth <= Self.hopeless }
            let expectedSeconds = hopeful.compactMap { costs[$0].last }.reduce(0, +) * Double(count)
            let rounds = max(1, min(settings.rounds(cost: 3), Int(Self.longestTime / max(expectedSeconds, 1e-3))))
            let samples = try await Turns.samples(of: hopeful, rounds: rounds) { index in
                try await seconds(of: contenders[index], count: count, isQuick: settings.isQuick)
            }
            for (index, samples) in zip(hopeful, samples) { costs[index].append(samples.median) }
        }
        var table = Table(
            title: "\(name): \(title)",
            columns: ["contender"] + counts.map { Table.grouped(Double($0)) } + ["largest ÷ smallest", "target"],
            note: "Time for each. Where it has grown more than \(Int(Self.hopeless)) times already, larger numbers are "
                + "left out.")
        for (contender, costs) in zip(contenders, costs) {
            let cells = counts.indices.map { $0 < costs.count ? Table.nanoseconds(costs[$0] * 1e9) : "–" }
            let hasTarget = contender.role == .piuPiu && !settings.isQuick
            let isMet = costs.growth <= Self.limit && costs.count == counts.count
            let verdict = Target.verdict("≤ \(Table.ratio(Self.limit))", isMet: isMet)
            table.add([contender.name] + cells + [Table.ratio(costs.growth), hasTarget ? verdict : ""])
        }
        return table
    }

    /// What serving one takes when there are `count` of them.
    private func seconds(of contender: Contender, count: Int, isQuick: Bool) async throws -> Double {
        let repetitions = isQuick ? 1 : max(1, Self.smallestSample / count)
        let meter = Usage.Meter()
        var sum = 0
        for _ in 0..<repetitions { sum += try await contender.body(count) }
        let seconds = meter.usage.seconds
        guard sum == count * repetitions else {
            throw WrongResult(
                scenario: name, contender: contender.name, expected: count * repetitions, result: sum)
        }
        return seconds / Double(count * repetitions)
    }
}

extension [Double] {
    /// How many times the first value the last one is.
    fileprivate var growth: Double {
        guard let first, let last else { return 1 }
        return last / first
    }
}
