import Foundation

/// The table of an HTTP scenario: how much of it a second, and what processor time it takes, beside bare `URLSession`.
struct RateTable {
    let title: String
    /// What is counted in a second, and how much of it a contender does in one go.
    let unit: String
    let amount: Double
    /// What the processor time is for.
    let item: String
    let processorTime: (_ seconds: Double) -> String
    /// What a contender wants to reach, by its name.
    let targets: [String: [Target]]
    var note: String?

    func table(of measurements: [Measurement], isQuick: Bool) -> Table {
        let bare = measurements.first { $0.contender == BareURLSessionContender.standardName }
        var table = Table(
            title: title,
            columns: [
                "contender", "\(unit)/s", "÷ \(BareURLSessionContender.standardName)", "CPU per \(item)",
                "÷ \(BareURLSessionContender.standardName)", "target",
            ],
            note: note)
        for measurement in measurements {
            let targets = isQuick ? [] : targets[measurement.contender, default: []]
            table.add([
                measurement.contender,
                Table.grouped(amount / measurement.seconds),
                bare.map { Table.ratio($0.seconds / measurement.seconds) } ?? "",
                processorTime(measurement.processorSeconds),
                bare.map { Table.ratio(measurement.processorSeconds / $0.processorSeconds) } ?? "",
                targets.map { $0.verdict(on: measurement, among: measurements) }.joined(separator: "; "),
            ])
        }
        return table
    }
}
