import Dispatch

/// Tells whether code runs on the main actor, which is the main queue; `Thread.isMainThread` can't: on Linux other
/// threads may serve that queue.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
