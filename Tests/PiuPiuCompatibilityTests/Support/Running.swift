import Foundation
import PiuPiu

/// Runs work that calls back at its end, and waits for the call.
func untilDone(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
}

extension ResponseFuture {
    /// Sends the future and waits for its completion, replacing the callback that it has.
    func sentToTheEnd() async {
        await withCheckedContinuation { continuation in
            completion { continuation.resume() }.send()
        }
    }
}

struct Mishap: Error, Equatable {}
