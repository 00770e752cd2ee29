/// Runs a task up to its first suspension. On Apple platforms before those of 2025 it may begin later.
package func runToSuspension(_ body: @escaping @Sendable () async -> Void) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { await body() }
    } else {
        Task { await body() }
    }
}
