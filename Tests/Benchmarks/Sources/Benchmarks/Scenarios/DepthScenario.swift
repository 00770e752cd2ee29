import Foundation
import NIOCore
import NIOEmbedded
import PiuPiu

/// A very long chain on a small stack.
struct DepthScenario: Scenario {
    let name = "depth"

    func table(with settings: Settings) async throws -> Table {
        let length = settings.isQuick ? 20_000 : 1_000_000
        let steps = Step.allCases
        var table = Table(
            title: "\(name): a chain of \(Table.grouped(Double(length))) links, on a thread with a stack of 512 KB",
            columns: ["contender"] + steps.map(\.rawValue),
            note: "Cancelling while running lasts until the last callback is notified; the work unwinds later. "
                + "swift-nio has no cancellation, and releasing an unkept promise is an error there.")
        for (contender, body) in [("PiuPiu", Self.piuPiu), ("swift-nio, on an embedded loop", Self.nio)] {
            var samples: [Step: [Double]] = [:]
            for _ in 0..<settings.rounds(cost: 5) {
                for step in steps {
                    guard let sample = await SmallStack.run({ body(step, length) }) else { continue }
                    let expected = step.ending(length)
                    guard sample.ending == expected else {
                        throw WrongResult(
                            scenario: name, contender: contender, expected: expected, result: sample.ending)
                    }
                    samples[step, default: []].append(sample.seconds * 1_000)
                }
            }
            table.add([contender] + steps.map { samples[$0].map { String(format: "%.0f ms", $0.median) } ?? "–" })
        }
        return table
    }

    private enum Step: String, CaseIterable, Sendable {
        case build, run
        case cancelUnrun = "cancel unrun"
        case cancelRunning = "cancel while running"
        case dropUnrun = "drop unrun"

        /// How the step ends.
        func ending(_ length: Int) -> Ending {
            switch self {
            case .run: .value(length)
            case .cancelRunning: .cancelled
            case .build, .cancelUnrun, .dropUnrun: .none
            }
        }
    }

    /// The end of a chain, as far as somebody waits for it.
    private enum Ending: Equatable, Sendable {
        case none, failed, cancelled
        case value(Int)
    }

    /// How long a step took, and how it has ended.
    private struct Sample: Sendable {
        let seconds: Double
        let ending: Ending

        init(_ body: () -> Ending) {
            let start = ContinuousClock.now
            ending = body()
            seconds = start.duration(to: .now) / .seconds(1)
        }
    }

    // MARK: PiuPiu

    private static func piuPiu(_ step: Step, _ length: Int) -> Sample? {
        switch step {
        case .build:
            var future: ResponseFuture<Int>?
            let sample = Sample {
                future = chain(from: ResponseFuture { 0 }, length)
                return .none
            }
            withExtendedLifetime(future) {}
            return sample
        case .run:
            let future = chain(from: ResponseFuture { 0 }, length)
            return Sample { ending(of: future) { $0.send() } }
        case .cancelUnrun:
            let future = chain(from: ResponseFuture { 0 }, length)
            return Sample {
                future.cancel()
                return .none
            }
        case .cancelRunning:
            let isRunning = DispatchSemaphore(value: 0)
            let forever = AsyncStream<Int>.makeStream()
            let root = ResponseFuture {
                isRunning.signal()
                return await forever.stream.first { _ in true } ?? 0
            }
            let future = chain(from: root, length)
            future.send()
            isRunning.wait()
            return Sample { ending(of: future) { $0.cancel() } }
        case .dropUnrun:
            var future: ResponseFuture<Int>? = chain(from: ResponseFuture { 0 }, length)
            return Sample {
                release(&future)
                return .none
            }
        }
    }

    @inline(never)
    private static func chain(from root: ResponseFuture<Int>, _ length: Int) -> ResponseFuture<Int> {
        (0..<length).reduce(root) { future, _ in future.then { $0 &+ 1 } }
    }

    /// Ends the future and waits for that, on a thread that runs no tasks.
    private static func ending(of future: ResponseFuture<Int>, _ body: (ResponseFuture<Int>) -> Void) -> Ending {
        let sum = Sum(), hasEnded = DispatchSemaphore(value: 0)
        _ = future.onSuccess { sum.add($0) }.onCompletion { hasEnded.signal() }
        body(future)
        hasEnded.wait()
        return switch future.status {
        case .success: .value(sum.total)
        case .cancelled: .cancelled
        case .created, .started, .error: .failed
        }
    }

    @inline(never)
    private static func release(_ future: inout ResponseFuture<Int>?) {
        future = nil
    }

    // MARK: swift-nio

    private static func nio(_ step: Step, _ length: Int) -> Sample? {
        guard step == .build || step == .run else { return nil }
        let promise = EmbeddedEventLoop().makePromise(of: Int.self), sum = Sum()
        let build = Sample {
            var future = promise.futureResult
            for _ in 0..<length { future = future.map { $0 &+ 1 } }
            future.whenSuccess { sum.add($0) }
            return .none
        }
        let run = Sample {
            promise.succeed(0)
            return .value(sum.total)
        }
        return step == .build ? build : run
    }
}
