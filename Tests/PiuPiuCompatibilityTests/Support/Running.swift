import Foundation
import PiuPiu

/// Runs work that calls back at its end, and waits for the call.
///
/// The lock is for the thread sanitizer: it doesn't see that a continuation orders what two threads do, if it is resumed
/// before it is awaited.
func untilDone(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    let lock = NSLock()
    await withCheckedContinuation { continuation in
        body {
            lock.withLock {}
            continuation.resume()
        }
    }
    lock.withLock {}
}

extension ResponseFuture {
    /// Sends the future and waits for its completion, replacing the callback that it has.
    func sentToTheEnd() async {
        await untilDone { done in completion { done() }.send() }
    }
}

struct Mishap: Error, Equatable {}
