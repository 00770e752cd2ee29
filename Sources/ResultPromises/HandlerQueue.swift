import Dispatch
import Foundation

/// The operation queues of handlers.
enum HandlerQueue {
    /// The queue for a handler that is attached now: the caller's operation queue, or the main queue if there is none.
    static var ofAttachedHandlers: OperationQueue { OperationQueue.current ?? .main }

    /// Whether this code runs on `queue`.
    static func isCurrent(_ queue: OperationQueue) -> Bool {
        if let current = OperationQueue.current { return current === queue }
        return queue === OperationQueue.main && isOnMainDispatchQueue
    }

    // On Linux any thread may serve the main dispatch queue, but `OperationQueue.current` recognises only the main
    // thread.
    private static var isOnMainDispatchQueue: Bool { DispatchQueue.getSpecific(key: mainKey) != nil }

    private static let mainKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
