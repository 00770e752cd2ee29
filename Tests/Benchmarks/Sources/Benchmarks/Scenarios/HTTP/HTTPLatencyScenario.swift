import Foundation
import Synchronization

/// How long a small request takes while the same client downloads something large, and while it doesn't.
struct HTTPLatencyScenario: Scenario {
    let name: String
    let download: HTTPTransferScenario.Direction
    /// How many times as long a small request of PiuPiu may take.
    let targetRatio: Double

    func table(with settings: Settings) async throws -> Table {
        let byteCount = settings.isQuick ? HTTPTransferScenario.quickByteCount : HTTPTransferScenario.byteCount
        let count = settings.isQuick ? 5 : 60
        var table = Table(
            title: "\(name): a small request beside \(download.title), "
                + "\(Table.grouped(Double(byteCount))) bytes, again and again",
            columns: [
                "contender", "idle", "beside", "beside ÷ idle", "9 of 10 idle", "9 of 10 beside", "target",
            ],
            note: "Medians of all requests, and what 9 of 10 stay below. One is made every "
                + "\(Self.millisecondsBetween) ms, also when earlier ones have not ended yet.")
        try await HTTPStage.run(byteCount: byteCount) { stage in
            let transfer = try Transfer(download, count: byteCount, on: stage)
            let url = stage.baseURL.appending(path: "posts/1")
            for contender in stage.contenders { _ = try await latencies(of: contender, url, count: count) }
            let samples = try await Turns.samples(of: stage.contenders, rounds: settings.rounds(cost: 2)) { contender in
                let idle = try await latencies(of: contender, url, count: count)
                return (idle, try await latencies(of: contender, url, count: count, beside: transfer))
            }
            for (contender, samples) in zip(stage.contenders, samples) {
                let idle = samples.flatMap(\.0), beside = samples.flatMap(\.1)
                let ratio = beside.median / idle.median
                let hasTarget = contender.role == .piuPiu && !settings.isQuick
                table.add([
                    contender.name, Self.microseconds(idle.median), Self.microseconds(beside.median),
                    Table.ratio(ratio), Self.microseconds(idle.upperTenth), Self.microseconds(beside.upperTenth),
                    hasTarget
                        ? Target.verdict("≤ \(Table.ratio(targetRatio)) × idle", isMet: ratio <= targetRatio) : "",
                ])
            }
        }
        return table
    }

    private static func microseconds(_ seconds: Double) -> String {
        Table.grouped(seconds * 1e6) + " µs"
    }

    // MARK: Latencies

    private static let millisecondsBetween = 20
    /// The first ones of a sample may come before the download has begun.
    private static let uncounted = 5

    /// Requests start by the clock, not one after the other: otherwise slow ones would reduce their number.
    private func latencies(of contender: any HTTPContender, _ url: URL, count: Int) async throws -> [Double] {
        let start = ContinuousClock.now
        // Results, as an error thrown out of the group would cancel the others, which bare `URLSession` can't stand.
        let results = await withTaskGroup(of: (index: Int, latency: Result<Double, any Error>).self) { group in
            for index in 0..<(Self.uncounted + count) {
                // Nobody cancels this task.
                try? await ContinuousClock().sleep(until: start + .milliseconds(Self.millisecondsBetween) * index)
                group.addTask {
                    do { return (index, .success(try await latency(of: contender, url))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return try results.filter { $0.index >= Self.uncounted }.map { try $0.latency.get() }
    }

    private func latency(of contender: any HTTPContender, _ url: URL) async throws -> Double {
        let meter = Usage.Meter()
        let (status, body) = try await contender.get(url)
        let seconds = meter.usage.seconds
        guard status == 200, !body.isEmpty else {
            throw WrongResult(scenario: name, contender: contender.name, expected: 200, result: status)
        }
        return seconds
    }

    private func latencies(
        of contender: any HTTPContender, _ url: URL, count: Int, beside transfer: Transfer
    ) async throws -> [Double] {
        let downloads = Downloads(of: contender, transfer, in: name)
        let latencies: [Double]
        do { latencies = try await self.latencies(of: contender, url, count: count) } catch {
            // They are never cancelled, as bare `URLSession` can't stand it; the first error is the one that counts.
            try? await downloads.end()
            throw error
        }
        try await downloads.end()
        return latencies
    }
}

/// One download after the other, until it has been enough.
private struct Downloads {
    private let isEnough: Flag
    private let task: Task<Void, any Error>

    init(of contender: any HTTPContender, _ transfer: Transfer, in scenario: String) {
        let isEnough = Flag()
        self.isEnough = isEnough
        task = Task { @concurrent in
            while true {
                let check = try await transfer.run(contender)
                // Only the last one is checked, as nothing is downloaded during a check.
                guard isEnough.isSet else {
                    try transfer.clearAway()
                    continue
                }
                let outcome = try check()
                try transfer.clearAway()
                guard outcome == transfer.expected else {
                    throw WrongResult(
                        scenario: scenario, contender: contender.name, expected: transfer.expected, result: outcome)
                }
                return
            }
        }
    }

    /// Returns when the current download has ended.
    func end() async throws {
        isEnough.set()
        try await task.value
    }
}

/// Set once, by anyone.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() {
        value.store(true, ordering: .releasing)
    }
}
