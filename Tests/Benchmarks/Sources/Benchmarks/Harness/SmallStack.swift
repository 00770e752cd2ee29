import Foundation

/// A thread whose stack is as small as that of a secondary thread of an app.
enum SmallStack {
    static func run<Output: Sendable>(_ body: @escaping @Sendable () -> Output) async -> Output {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }
}
