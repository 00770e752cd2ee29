import Dispatch

/// Tells whether code runs on the main actor, which is the main queue; `Thread.isMainThread` can't: on Linux other
/// threads may serve that queue.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

    /// Runs `body` while the main thread is blocked (contract rule NO-MAIN).
    package static func blocked<Output>(while body: () async throws -> Output) async rethrows -> Output {
        let isBlocked = Gate(), release = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            isBlocked.open()
            release.wait()
        }
        defer { release.signal() }
        await isBlocked.opened()
        return try await body()
    }
}
