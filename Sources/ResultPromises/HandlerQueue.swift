import Dispatch
import Foundation

/// The operation queues that handlers belong to.
enum HandlerQueue {
    /// Where a handler that is attached here and now is to run: the operation queue that this code runs on, or the main
    /// queue if it runs on none.
    static var ofAttachedHandlers: OperationQueue { OperationQueue.current ?? .main }

    /// Whether this code runs on `queue`.
    static func isCurrent(_ queue: OperationQueue) -> Bool {
        if let current = OperationQueue.current { return current === queue }
        return queue === OperationQueue.main && isOnMainDispatchQueue
    }

    // On Linux any thread may serve the main dispatch queue, and `OperationQueue.current` knows the main thread alone.
    private static var isOnMainDispatchQueue: Bool { DispatchQueue.getSpecific(key: mainKey) != nil }

    private static let mainKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
