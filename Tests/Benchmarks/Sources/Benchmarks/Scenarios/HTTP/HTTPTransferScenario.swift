import Foundation
import LoopbackServer

/// One large body, in one direction.
struct HTTPTransferScenario: Scenario {
    enum Direction: Sendable {
        case downloadToMemory, downloadToFile
        case uploadFromMemory, uploadFromFile
    }

    let name: String
    let direction: Direction
    /// What a contender wants to reach, by its name.
    let targets: [String: [Target]]

    static let byteCount = 104_857_600
    static let quickByteCount = 1 << 20

    func table(with settings: Settings) async throws -> Table {
        let count = settings.isQuick ? Self.quickByteCount : Self.byteCount
        let measurements = try await HTTPStage.run(byteCount: count) { stage in
            let transfer = try Transfer(direction, count: count, on: stage)
            for contender in stage.contenders { _ = try await usage(of: contender, transfer) }
            // Half as many as elsewhere, as each takes some time.
            let samples = try await Turns.samples(of: stage.contenders, rounds: settings.rounds(cost: 2)) { contender in
                try await usage(of: contender, transfer)
            }
            return zip(stage.contenders, samples).map {
                Measurement(contender: $0.name, role: $0.role, samples: $1)
            }
        }
        return RateTable(
            title: "\(name): \(direction.title), \(Table.grouped(Double(count))) bytes", unit: "MB",
            amount: Double(count) / 1e6, item: "body", processorTime: { String(format: "%.0f ms", $0 * 1e3) },
            targets: targets
        ).table(of: measurements, isQuick: settings.isQuick)
    }

    private func usage(of contender: any HTTPContender, _ transfer: Transfer) async throws -> Usage {
        let meter = Usage.Meter()
        let check = try await transfer.run(contender)
        let usage = meter.usage
        let outcome = try check()
        try transfer.clearAway()
        guard outcome == transfer.expected else {
            throw WrongResult(
                scenario: name, contender: contender.name, expected: transfer.expected, result: outcome)
        }
        return usage
    }
}

extension HTTPTransferScenario.Direction {
    var title: String {
        switch self {
        case .downloadToMemory: "a download to memory"
        case .downloadToFile: "a download to a file"
        case .uploadFromMemory: "an upload from memory"
        case .uploadFromFile: "an upload from a file"
        }
    }
}
