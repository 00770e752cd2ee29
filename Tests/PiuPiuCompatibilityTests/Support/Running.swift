import Foundation
import PiuPiu

/// Runs what calls back at its end, and waits for that.
func untilDone(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
}

extension ResponseFuture {
    /// Sends the future and waits for its completion, which takes the place of one that it has.
    func sentToTheEnd() async {
        await withCheckedContinuation { continuation in
            completion { continuation.resume() }.send()
        }
    }
}

struct Mishap: Error, Equatable {}
