import Dispatch
import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Many requests at a time, a third of them cancelled at random moments.
struct RequestStorm: Sendable {
    /// The outcome of a storm.
    struct Report: Sendable {
        var values = 0
        var cancellations = 0
        var wrong: [String] = []
    }

    /// Is retained by a future: until its end by the transform, then by the value.
    private final class Witness: Sendable {
        private let unreleased: Watched<Int>

        init(_ unreleased: Watched<Int>) {
            self.unreleased = unreleased
            unreleased.withLock { $0 += 1 }
        }

        deinit { unreleased.withLock { $0 -= 1 } }
    }

    private struct Size: Sendable, CustomStringConvertible {
        let bytes: Int
        let witness: Witness

        var description: String { "\(bytes)" }
    }

    private enum Moment: CaseIterable {
        case beforeStart, rightAfterSend, afterUpdate, afterTime, byTask
    }

    private struct Ticket: Sendable {
        let future: ResponseFuture<Size>
        let completions = Counter()
        let completed = Gate()
    }

    let server: LoopbackServer
    let seed: UInt64
    private let unreleased = Watched(0)

    init(server: LoopbackServer, seed: UInt64) {
        self.server = server
        self.seed = seed
    }

    /// Waits until all futures are released, for a minute at most: the thread that has settled one may release it later
    /// than its awaiter goes on. Returns how many are left.
    func unreleasedFutures() async -> Int {
        await withTaskGroup { group in
            group.addTask { await unreleased.wait { $0 == 0 } }
            group.addTask { try? await Task.sleep(for: .seconds(60)) }
            await group.next()
            group.cancelAll()
        }
        return unreleased.withLock { $0 }
    }

    /// Runs `workers` tasks of `count` requests each, one after the other.
    func run(workers: Int, count: Int, over dispatcher: URLRequestDispatcher) async -> Report {
        await withTaskGroup(of: Report.self) { group in
            for worker in 0..<workers {
                group.addTask { await work(worker, count: count, over: dispatcher) }
            }
            return await group.reduce(into: Report()) { total, part in
                total.values += part.values
                total.cancellations += part.cancellations
                total.wrong += part.wrong
            }
        }
    }

    private func work(_ worker: Int, count: Int, over dispatcher: URLRequestDispatcher) async -> Report {
        var generator = SeededGenerator(seed: seed &+ UInt64(worker))
        var report = Report()
        for _ in 0..<count {
            await exchange(using: &generator, over: dispatcher, report: &report)
        }
        return report
    }

    private func exchange(
        using generator: inout SeededGenerator, over dispatcher: URLRequestDispatcher, report: inout Report
    ) async {
        let size = Int.random(in: 1...60_000, using: &generator)
        let path = Bool.random(using: &generator) ? "/bytes/\(size)" : "/chunked/5/\(max(1, size / 5))"
        let expected = path.hasPrefix("/bytes") ? size : max(1, size / 5) * 5
        let moment =
            Int.random(in: 0..<3, using: &generator) == 0 ? Moment.allCases.randomElement(using: &generator) : nil
        let microseconds = Int.random(in: 0...4000, using: &generator)
        let updates = Int.random(in: 1...4, using: &generator)
        let request = server.request(path)
        let future = dispatcher.dataFuture(from: request).then { [witness = Witness(unreleased)] response in
            Size(bytes: response.data?.count ?? 0, witness: witness)
        }
        let ticket = Ticket(future: future)
        _ = ticket.future.onCompletion {
            ticket.completions.increment()
            ticket.completed.open()
        }
        let ending = await end(ticket.future, at: moment, microseconds: microseconds, updates: updates)
        await ticket.completed.opened()
        switch ending {
        case "value \(expected)": report.values += 1
        case "cancelled" where moment != nil: report.cancellations += 1
        default: report.wrong.append("\(path), cancelled \(String(describing: moment)): \(ending)")
        }
        if ticket.completions.value != 1 { report.wrong.append("\(path): \(ticket.completions.value) completions") }
    }

    private func end(
        _ future: ResponseFuture<Size>, at moment: Moment?, microseconds: Int, updates: Int
    ) async -> String {
        switch moment {
        case nil: break
        case .beforeStart: future.cancel()
        case .rightAfterSend:
            future.send()
            future.cancel()
        case .afterUpdate:
            let count = Counter()
            _ = future.onUpdate { [weak future] _ in if count.increment() == updates { future?.cancel() } }
            future.send()
        case .afterTime:
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { [weak future] in
                future?.cancel()
            }
        case .byTask:
            let task = Task { await future.ending }
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { task.cancel() }
            let ending = await task.value
            // A task that is cancelled before it comes to the await doesn't start the future.
            if future.status == .created { future.cancel() }
            return ending
        }
        return await future.ending
    }
}
