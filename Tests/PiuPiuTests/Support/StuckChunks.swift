import Foundation
import TestSupport

/// Where a sequence of chunks waits for the chunk after its first one.
struct StuckChunks: Sendable {
    let gate = Gate()
    /// Opened when its wait is cancelled.
    let cancelled = Gate()

    /// One chunk, and then a wait that heeds its cancellation, or not.
    func chunks(isDeaf: Bool = false) -> AskedChunks {
        AskedChunks(1) { number in
            guard number == 2 else { return }
            guard !isDeaf else { return await gate.pass() }
            do { try await gate.passUnlessCancelled() } catch {
                cancelled.open()
                throw error
            }
        }
    }
}
