import Foundation

/// Runs `body` on a thread whose stack is as small as that of a secondary thread of an app.
package func onSmallStack<Output: Sendable>(_ body: @escaping @Sendable () -> Output) async -> Output {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = 512 * 1024
        thread.start()
    }
}
