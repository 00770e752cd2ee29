import Dispatch

/// Tells whether code runs on the main actor, which is the main queue; `Thread.isMainThread` can't: on Linux other
/// threads may serve that queue.
public enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this code runs on the main queue.
    public static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

    /// Runs `body` on the main queue, after what is enqueued there already.
    public static func afterThisTurn(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: body)
    }

    /// `main` or `background`.
    public static var name: String { isCurrent ? "main" : "background" }
}
