import Dispatch
import Foundation
import PiuPiu
import TestSupport

/// Runs two bodies on threads of their own at the same moment, or one of them some short moments later.
enum RandomProgramCollision {
    /// How often a resumed thread polls for the other, which may have to wait for a processor on a busy machine.
    private static let patience = 400

    /// - Parameter lead: how many moments later the first runs, or the second if it is negative.
    static func run(
        lead: Int, _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
    ) async {
        let arrived = Counter(), awake = Counter(), start = DispatchSemaphore(value: 0), end = DispatchGroup()
        for (body, moments) in [(first, lead), (second, -lead)] {
            end.enter()
            Thread.detachNewThread {
                // The second to arrive resumes the first.
                if arrived.increment() == 2 { start.signal() } else { start.wait() }
                awake.increment()
                for _ in 0..<patience where awake.value < 2 {}
                for _ in 0..<max(moments, 0) { _ = awake.value }
                body()
                end.leave()
            }
        }
        await withCheckedContinuation { continuation in
            end.notify(queue: .global()) { continuation.resume() }
        }
    }
}
